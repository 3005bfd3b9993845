import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { expectError, expectFields } from "./support/errors.js";
import {
  BADGES,
  EMPTY_WIDGET,
  FULL_WIDGET,
  MISSING,
  newBadge,
  pathOf,
  WIDGETS,
} from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const MERGE_PATCH = { "content-type": "application/merge-patch+json" };

test.each(Object.entries(FULL_WIDGET))(
  "a PATCH of %s alone leaves the rest as it is",
  async (name, value) => {
    const made = await service.create(WIDGETS, EMPTY_WIDGET);
    const path = pathOf(WIDGETS, made);
    const answer = await service.send("PATCH", path, { body: { [name]: value } });
    expect(answer.status, answer.text).toBe(200);
    const { lastModifiedDate } = answer.json;
    expect(answer.json).toEqual({ ...made, [name]: value, lastModifiedDate });
    expect((await service.send("GET", path)).text).toBe(answer.text);
  },
);

test("null takes a value away, and a list becomes []", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const body = { ...EMPTY_WIDGET, name: "drill" };
  expect((await service.send("PATCH", path, { body })).json).toMatchObject(EMPTY_WIDGET);
});

test("null for a required property is refused, and so is a wrong value; nothing changes", async () => {
  const made = await service.create(BADGES, newBadge("p1"));
  const path = pathOf(BADGES, made);
  const body = { serial: null, level: 0, addresses: null, box: { width: null }, alias: "new" };
  const answer = await service.send("PATCH", path, { body });
  expectFields(answer, "serial", "level", "addresses", "box.width");
  expect(await service.read(path)).toEqual(made);
});

test("inside a nested object only what is named changes, at every depth", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const patch = async (deliveryAddress: JsonObject) =>
    (await service.send("PATCH", path, { body: { deliveryAddress } })).json["deliveryAddress"];
  const place = { floor: 3, doors: ["north", "south"] };
  expect(await patch({ city: "Ulm" })).toEqual({ state: "Bavaria", city: "Ulm", place });
  expect(await patch({ place: { floor: 4 } })).toEqual({
    ...{ state: "Bavaria", city: "Ulm" },
    place: { ...place, floor: 4 },
  });
  expect(await patch({ place: null, state: null })).toEqual({
    ...{ state: null, city: "Ulm", place: null },
  });
  expect(await patch({})).toEqual({ state: null, city: "Ulm", place: null });
});

test("a nested object that was null is made of what the PATCH names, and null", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, EMPTY_WIDGET));
  const body = { deliveryAddress: { place: { floor: 1 } } };
  expect((await service.send("PATCH", path, { body })).json["deliveryAddress"]).toEqual({
    ...{ state: null, city: null },
    place: { floor: 1, doors: [] },
  });
});

test("an array is replaced whole, and the objects in it too", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const body = {
    tags: ["blue"],
    parts: [{ label: "bit" }],
    deliveryAddress: { place: { doors: [] } },
  };
  expect((await service.send("PATCH", path, { body })).json).toMatchObject({
    tags: ["blue"],
    parts: [{ label: "bit", amount: null }],
    deliveryAddress: { place: { floor: 3, doors: [] } },
  });
});

test("a default is for what is created: a PATCH that leaves it out keeps null", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, EMPTY_WIDGET));
  const answer = await service.send("PATCH", path, { body: { size: 1 } });
  expect(answer.json).toMatchObject({ size: 1, status: null });
});

test("an empty PATCH is 200 and changes nothing", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const answer = await service.send("PATCH", pathOf(WIDGETS, made), { body: {} });
  expect([answer.status, answer.json]).toEqual([200, made]);
});

test("a PATCH of what is not there is 404", async () => {
  const answer = await service.send("PATCH", `${WIDGETS}/${MISSING}`, { body: { size: 1 } });
  expectError(answer, 404, "WidgetNotFoundMessage");
});

test.each(["application/merge-patch+json", "Application/Merge-Patch+JSON; charset=utf-8"])(
  "%s is accepted on a PATCH",
  async (type) => {
    const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
    const headers = { "content-type": type };
    const answer = await service.send("PATCH", path, { body: `{"size":7}`, headers });
    expect([answer.status, answer.json["size"]]).toEqual([200, 7]);
  },
);

test("a merge patch is 415 on a POST and on a PUT", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const sent = { body: JSON.stringify(FULL_WIDGET), headers: MERGE_PATCH };
  const post = await service.send("POST", WIDGETS, sent);
  expectError(post, 415, "UnsupportedMediaTypeMessage");
  const put = await service.send("PUT", pathOf(WIDGETS, made), sent);
  expectError(put, 415, "UnsupportedMediaTypeMessage");
  expect(put.headers.accept).toBe("application/json");
});

test("a JSON Patch is not what is understood: 415 by its type, 400 by its form", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  const body = `[{"op":"remove","path":"/note"}]`;
  const named = { body, headers: { "content-type": "application/json-patch+json" } };
  expectError(await service.send("PATCH", path, named), 415, "UnsupportedMediaTypeMessage");
  const plain = await service.send("PATCH", path, { body, headers: MERGE_PATCH });
  expectError(plain, 400, "MalformedRequestMessage");
  expect(await service.read(path)).toEqual(made);
});

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
