import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const MERGE_PATCH = { "content-type": "application/merge-patch+json" };

/** RFC 7396, word for word. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** REP-2, REP-3: what a merge has taken away is answered as null, or []. */
function filledIn(merged: Json): JsonObject {
  const { size = null, tags = [], deliveryAddress } = merged as JsonObject;
  if (!isObject(deliveryAddress)) return { size, tags, deliveryAddress: null };
  const { state = null, city = null, place } = deliveryAddress;
  if (!isObject(place)) return { size, tags, deliveryAddress: { state, city, place: null } };
  const { floor = null, doors = [] } = place;
  return { size, tags, deliveryAddress: { state, city, place: { floor, doors } } };
}

const words = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 });
const optional = { requiredKeys: [] };
const patches = fc.record(
  {
    size: fc.option(fc.nat(9)),
    tags: fc.option(words),
    deliveryAddress: fc.option(
      fc.record(
        {
          state: fc.option(fc.constantFrom("x", "y")),
          city: fc.option(fc.constantFrom("x", "y")),
          place: fc.option(
            fc.record({ floor: fc.option(fc.nat(9)), doors: fc.option(words) }, optional),
          ),
        },
        optional,
      ),
    ),
  },
  optional,
);

test("any series of patches ends where RFC 7396 says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(patches, { minLength: 1, maxLength: 5 }), async (series) => {
      const path = pathOf(WIDGETS, await service.create(WIDGETS, { name: "drill" }));
      let model: Json = {};
      // A property that fast-check leaves out is not there: it is never undefined.
      for (const body of series as readonly JsonObject[]) {
        model = mergePatch(model, body);
        const answer = await service.send("PATCH", path, { body, headers: MERGE_PATCH });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.json).toMatchObject(filledIn(model));
      }
    }),
    { numRuns: 100 },
  );
});
