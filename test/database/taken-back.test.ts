import { expect, test } from "vitest";
import { rows } from "./support/migrated-database.js";
import {
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  readOrder,
  refusal,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// A migration that rows refuse is taken back by another one: the rows are in nobody's way then.

const text = (held: Yaml): Yaml => ({ type: "string", maxLength: 40, ...held });
const tags = (held: Yaml): Yaml => ({ type: "array", items: text(held) });

/** A tighter rule, and what only the looser one takes. */
const TIGHTER: readonly (readonly [name: string, loose: Yaml, tight: Yaml, bad: unknown])[] = [
  ["a bound", text({}), text({ maxLength: 3 }), "abcdef"],
  ["a pattern", text({}), text({ pattern: "^[a-z]*$" }), "A-1"],
  ["null", text({}), text({ required: true }), null],
  ["a value", { enum: ["low", "high"] }, { enum: ["low"] }, "high"],
  ["items", tags({}), tags({ maxLength: 3 }), ["abcdef"]],
];

const CASES = await Promise.all(
  TIGHTER.map(async ([name, loose, tight, bad]) => {
    const [at, kind] = Array.isArray(bad) ? ["codes", "list"] : ["code", name];
    const was = await orderService(`loose-${kind}`, { [at]: loose });
    const other = await orderService(`tight-${kind}`, { [at]: tight }, {}, was);
    const again = await orderService(`again-${kind}`, { [at]: loose }, {}, other);
    const tighter = await orderService(`tighter-${kind}`, { [at]: tight }, {}, again);
    const last = await orderService(`last-${kind}`, { [at]: loose }, {}, tighter);
    return { name, at, bad, was, tight: other, again, tighter, last };
  }),
);

const EACH = CASES.flatMap((one) => DATABASES.map((database) => ({ ...one, database })));

test.each(EACH)(
  "$database: $name that rows refuse is in no start's way once it is taken back",
  async ({ at, bad, was, tight, again, tighter, database }) => {
    const url = await newDatabase(database);
    const placed = await whileServing(was, url, (orders) => placeOrder(orders, { [at]: bad }));
    expect(await refusal(tight, url)).toContain("1 row violates it");
    await whileServing(again, url, async (orders) => {
      expect((await readOrder(orders, placed))[at]).toEqual(bad);
      await placeOrder(orders, { [at]: bad });
      // It does not wait for migrations that are never run.
      expect((await fetch(new URL("/readyz", orders))).status).toBe(200);
    });
    expect(await recorded(url)).toHaveLength(1);
    // Nothing has changed for the release before, nor for the one between.
    await whileServing(was, url, (orders) => readOrder(orders, placed));
    expect(await refusal(tight, url)).toContain("violate it");
    expect(await refusal(tighter, url)).toContain("violate it");
    await whileServing(again, url, (orders) => readOrder(orders, placed));
  },
);

test.each(EACH)(
  "$database: $name that was applied is loosened where it is taken back",
  async ({ at, bad, tight, again, last, database }) => {
    for (const loosened of [again, last]) {
      const url = await newDatabase(database);
      await whileServing(tight, url, (orders) => placeOrder(orders, { [at]: good(bad) }));
      await whileServing(loosened, url, async (orders) => {
        const placed = await placeOrder(orders, { [at]: bad });
        expect((await readOrder(orders, placed))[at]).toEqual(bad);
      });
    }
  },
);

test.each(DATABASES)("%s: what does more than a rule is run, and refused", async (database) => {
  const was = await orderService("before-more", { code: text({}) });
  const both = { code: text({ maxLength: 3 }), note: text({}) };
  const more = await orderService("more", both, {}, was);
  const back = await orderService("more-taken-back", { ...both, code: text({}) }, {}, more);
  const url = await newDatabase(database);
  await whileServing(was, url, (orders) => placeOrder(orders, { code: "abcdef" }));
  expect(await refusal(back, url)).toContain("1 row violates it");
});

function good(bad: unknown): unknown {
  if (Array.isArray(bad)) return ["abc"];
  return bad === "high" ? "low" : "abc";
}

async function recorded(url: string): Promise<readonly unknown[]> {
  return rows(url, `SELECT "name" FROM "schema_migrations" ORDER BY "name"`);
}
