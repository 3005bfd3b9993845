import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts, word } from "../../naming/code.js";
import { isObject, type JsonObject } from "../../samples/json.js";
import { jsonColumn } from "../columns/json-column.js";
import { call, plain } from "../expression.js";
import type { Expected } from "../kind-keywords.js";
import { firstMistake, partMistake } from "../part-mistake.js";
import type { PropertyKind } from "../property-kind.js";
import { objectSchema } from "../property-schema.js";
import { storedMembers } from "../stored-value.js";
import { objectOf } from "../values.js";
import type { ObjectType, ObjectYaml } from "./object-type.js";

/** An object of its own properties, two levels deep at most; compact JSON in the database. */
export const objectKind: PropertyKind<ObjectType, ObjectYaml> = {
  spelling: "type",
  keywords: { properties: { $ref: "#/definitions/properties" } },
  takes: ["example"],
  demands: { properties: "Add `properties: { street: string }`, for example." },
  isOrdered: false,
  keywordMistakes: () => [],
  valueMistake: (value, expected) =>
    isObject(value)
      ? membersMistake(value, expected)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a mapping" }),

  normalise: ({ properties = {} }, { typeName, localName, properties: normalised }) => ({
    kind: "object",
    typeName,
    localName,
    properties: normalised(properties),
  }),
  normaliseValue: (value) => value,

  ...jsonColumn,
  encoding: ({ properties }) => ({ form: "object", members: storedMembers(properties) }),
  decode: (value, { typeName }, nullable) => {
    const name = nullable ? "jsonOrNull" : "jsonOf";
    return { code: ts`${word(name)}<${word(typeName)}>(${value})`, uses: [name] };
  },

  tsType: ({ typeName }) => word(typeName),
  jsonSchema: ({ properties }, use) => ({ type: "object", ...objectSchema(properties, use) }),
  describe: () => "object",
  reader: ({ localName }) => call("object", [plain(word(`read${localName}`))]),
  filter: () => null,
  // The function that writes a nested object writes null, too.
  write: (value, { localName }) => plain(ts`${word(`write${localName}`)}(${value}, inner)`),

  samples: () => ({ valid: [], invalid: ["text", 1] }),
  seeded: ({ properties }, seed) => objectOf(properties, seed),
  isCountable: () => false,
};

function membersMistake(value: JsonObject, { yaml, role }: Expected): Mistake | null {
  const { properties = {} } = yaml;
  return firstMistake(
    Object.entries(value).map(([name, inner]) => {
      if (!Object.hasOwn(properties, name)) return mistake("SCH-102", { role, name });
      const property = properties[name];
      const isAbsent = property === undefined || inner === null;
      return isAbsent ? null : partMistake(inner, property, role);
    }),
  );
}
