import { expect, test } from "vitest";
import { change } from "./support/migrated-database.js";
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

// What only the service's own reader knows of a text: whether it matches a pattern, and has a format.

const item = (held: Yaml): Yaml => ({ type: "object", properties: { kept: "string", ...held } });

/** A text in every place that has one. */
function places(code: Yaml): Yaml {
  const list = (items: Yaml): Yaml => ({ type: "array", items });
  return { code, codes: list(code), object: item({ code }), lines: list(item({ code })) };
}

/** An order with another text in one of the places. */
function order(path = "", other = ""): Yaml {
  const at = (place: string): string => (place === path ? other : "SE");
  return {
    code: at("code"),
    codes: ["NO", at("codes")],
    object: { code: at("object.code") },
    lines: [{ code: "NO" }, { kept: "k" }, { code: at("lines.code") }],
  };
}

const loose = await orderService("loose", places({ type: "string" }));
const pattern = places({ type: "string", pattern: "^[A-Z]{2}$" });
const format = places({ type: "string", format: "countryCode" });
const TIGHTER = [
  { words: "its pattern", bad: "it's", tight: await orderService("pattern", pattern, {}, loose) },
  {
    words: "the format countryCode",
    bad: "QQ",
    tight: await orderService("format", format, {}, loose),
  },
];
const CASES = TIGHTER.flatMap((tighter) => DATABASES.map((database) => ({ ...tighter, database })));

test.each(CASES)(
  "$database: a row with a text that does not have $words refuses the migration, wherever it is",
  async ({ words, bad, tight, database }) => {
    const url = await newDatabase(database);
    const paths = ["code", "codes", "object.code", "lines.code"];
    const ids = await whileServing(loose, url, async (orders) => {
      await placeOrder(orders, order());
      const made = paths.map(async (path) => placeOrder(orders, order(path, bad)));
      return (await Promise.all(made)).map((one) => new URL(one).pathname.replace(/^.*\//, ""));
    });
    for (const [index, path] of paths.entries()) {
      expect(await refusal(tight, url)).toContain(
        `1 row violates it (rows of orders whose ${path} does not have ${words}): ${ids[index]}.`,
      );
      await change(url, `DELETE FROM "orders" WHERE "orderId" = '${ids[index]}'`);
    }
    await whileServing(tight, url, async (orders) => {
      const { itemCount } = (await (await fetch(orders)).json()) as Yaml;
      expect(itemCount).toBe(1);
    });
  },
);

test.each(DATABASES)(
  "%s: a text that is not a date becomes neither a date nor a time",
  async (database) => {
    const was = await orderService("texts", { sent: "string" });
    const date = { sent: { type: "string", format: "date" } };
    const dated = await orderService("dates", date, {}, was);
    const timed = await orderService("times", { sent: "timestamp" }, {}, dated);
    const url = await newDatabase(database);
    const [wrong, right] = await whileServing(was, url, async (orders) => [
      await placeOrder(orders, { sent: "2024-13-45" }),
      await placeOrder(orders, { sent: "2024-02-29" }),
    ]);
    const id = new URL(wrong).pathname.replace(/^.*\//, "");
    expect(await refusal(dated, url)).toContain(
      `whose sent does not have the format date): ${id}.`,
    );
    await change(url, `UPDATE "orders" SET "sent" = NULL WHERE "orderId" = '${id}'`);
    await whileServing(dated, url, (orders) => readOrder(orders, right));
    await change(url, `UPDATE "orders" SET "sent" = '2024-02-30' WHERE "orderId" = '${id}'`);
    expect(await refusal(timed, url)).toContain(
      `whose sent does not have the format date): ${id}.`,
    );
    await change(url, `UPDATE "orders" SET "sent" = '2024-02-28' WHERE "orderId" = '${id}'`);
    const sent = await whileServing(timed, url, async (orders) => [
      (await readOrder(orders, wrong))["sent"],
      (await readOrder(orders, right))["sent"],
    ]);
    expect(sent).toEqual(["2024-02-28T00:00:00.000Z", "2024-02-29T00:00:00.000Z"]);
  },
);
