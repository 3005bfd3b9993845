import { expect, test } from "vitest";
import { stringify } from "yaml";
import { NO_CHAIN } from "../../../src/migrations/chain.js";
import { nextMigration } from "../../../src/migrations/next-migration.js";
import { grown, wantedBy } from "./support.js";

type Yaml = Readonly<Record<string, unknown>>;

/** Each kind as it was removed, and as it comes back with tighter bounds. */
const KINDS: Readonly<Record<string, readonly [was: Yaml, tighter: Yaml]>> = {
  string: [{ type: "string" }, { type: "string", maxLength: 5, pattern: "^[a-z]+$" }],
  email: [{ type: "string" }, { type: "string", format: "email" }],
  decimal: [
    { type: "decimal", scale: 2 },
    { type: "decimal", scale: 3, minimum: "1.000" },
  ],
  integer: [{ type: "integer" }, { type: "integer", maximum: 9 }],
  number: [{ type: "number" }, { type: "number", exclusiveMinimum: 0 }],
  boolean: [{ type: "boolean" }, { type: "boolean" }],
  enum: [{ enum: ["red", "blue"] }, { enum: ["red"] }],
  timestamp: [{ type: "string", format: "date" }, { type: "timestamp" }],
  uuid: [{ type: "uuid" }, { type: "uuid" }],
  array: [
    { type: "array", items: "string" },
    { type: "array", items: "string", maxItems: 2, uniqueItems: true },
  ],
};

const item = (held: Yaml): Yaml => ({ type: "object", properties: { kept: "string", ...held } });
const list = (items: Yaml): Yaml => ({ type: "array", items });
const PLACES: Readonly<Record<string, (held: Yaml) => Yaml>> = {
  "": (held) => ({ kept: "string", ...held }),
  "object.": (held) => ({ object: item(held) }),
  "object.deep.": (held) => ({ object: item({ deep: item(held) }) }),
  "lines.": (held) => ({ lines: list(item(held)) }),
  "lines.deep.": (held) => ({ lines: list(item({ deep: item(held) })) }),
};

const CASES = Object.entries(KINDS).flatMap(([kind, [was, tighter]]) =>
  Object.entries(PLACES).flatMap(([place, schema]) =>
    [
      { edit: "as it was", before: was, after: was },
      { edit: "tighter", before: was, after: tighter },
      { edit: "required", before: was, after: { ...was, required: true } },
      { edit: "required as before", before: { ...was, required: true }, after: tighter },
    ]
      // REP-3: a list is never null, and `required` adds nothing to it.
      .filter(({ edit }) => kind !== "array" || !edit.startsWith("required"))
      .map((one) => ({ kind, place, schema, ...one })),
  ),
);

test.each(CASES)(
  "a migration brings back $kind $edit at $place",
  async ({ kind, place, schema, before, after }) => {
    const name = kind === "array" ? "values" : "value";
    const removed = { removed: { [`${place}${name}`]: "why" } };
    let chain = NO_CHAIN;
    const verbs: string[] = [];
    for (const [held, keywords] of [
      [{ [name]: before }, {}],
      [{}, removed],
      [{ [name]: after }, {}],
    ] as const) {
      const orders = { resource: "orders", entity: "order", ...keywords, properties: schema(held) };
      const wanted = await wantedBy({
        "service.yaml": "service: store\n",
        "resources/v1/orders.yaml": stringify(orders, { aliasDuplicateObjects: false }),
      });
      const following = wanted && nextMigration(chain, wanted);
      if (following?.kind !== "next") throw new Error("it leads to no migration");
      verbs.push(following.next.file.steps[0]?.step ?? "");
      chain = grown(chain, following.next);
    }
    expect(verbs.slice(1)).toEqual(["retireColumn", "restoreColumn"]);
  },
);
