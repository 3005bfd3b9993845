import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts, word } from "../../naming/code.js";
import { callDoc, type Doc } from "../../naming/doc.js";
import type { TsCode } from "../../naming/encoders.js";
import { isObject, type Json, type JsonObject } from "../../samples/json.js";
import { jsonColumn } from "../columns/json-column.js";
import { call } from "../expression.js";
import type { Expected } from "../kind-keywords.js";
import { kindNamed, kindOf } from "../kinds.js";
import { firstMistake, partMistake } from "../part-mistake.js";
import type { PropertyKind } from "../property-kind.js";
import type { Value } from "../property-model.js";
import { objectSchema } from "../property-schema.js";
import {
  kindNameOf,
  longForm,
  type PropertyObjectYaml,
  type PropertyYaml,
} from "../property-yaml.js";
import { decodedInside, encodedInside, holdsReferences } from "../reference/inner-references.js";
import { storedMembers } from "../stored-value.js";
import { objectOf } from "../values.js";
import type { ObjectType, ObjectYaml } from "./object-type.js";
import { ofSchema } from "../../naming/imported.js";

/** An object of its own properties, two levels deep at most; compact JSON in the database. */
export const objectKind: PropertyKind<ObjectType, ObjectYaml> = {
  spelling: "type",
  synonyms: ["json", "map"],
  shape: "{ type: object, properties: ... }",
  keywords: { properties: { $ref: "#/definitions/properties" } },
  takes: ["example"],
  demands: { properties: "Add `properties: { street: string }`, for example." },
  isOrdered: () => false,
  valueCount: ({ properties = {} }) => productOf(Object.values(properties).map(countOf)),
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
  normaliseValue: (value, { properties }) => {
    const members = isObject(value) ? Object.entries(value) : [];
    const kept = members.map(([name, inner]) => {
      const type = properties.find((property) => property.name === name)?.type;
      // What the check has let pass is JSON of the declared properties.
      const isKept = type === undefined || inner === null;
      return [name, isKept ? inner : kindOf(type).normaliseValue(inner as Value, type)] as const;
    });
    return Object.fromEntries(kept) as Value;
  },
  // What it holds stands at paths of its own.
  facts: () => ({}),

  ...jsonColumn,
  encoding: ({ properties }) => ({ form: "object", members: storedMembers(properties) }),
  encode: (value, type, nullable) => {
    const encoded = encodedInside(value, { type, nullable });
    return nullable ? call("jsonTextOrNull", [encoded]) : ts`JSON.stringify(${encoded})`;
  },
  decode: (value, type, nullable, json = ts`null`) => {
    if (holdsReferences(type)) return decodedObject(value, type, { nullable, json });
    const name = nullable ? "jsonOrNull" : "jsonOf";
    return callDoc(ts`@${word(name)}<${ofSchema(`type ${type.typeName}`)}>`, [value, json]);
  },

  tsType: ({ typeName }) => ofSchema(`type ${typeName}`),
  jsonSchema: ({ properties }, use) => ({ type: "object", ...objectSchema(properties, use) }),
  describe: () => "object",
  reader: ({ localName }) => call("object", [ofSchema(`read${localName}`)]),
  // Objects are read by runtime/input/bodies.ts, which is imported for the body itself.
  filter: () => null,
  // The function that writes a nested object writes null, too.
  write: (value, { localName }) => ts`${word(`write${localName}`)}(${value}, inner)`,

  samples: () => ({ valid: [], invalid: ["text", 1] }),
  seeded: ({ properties }, seed) => {
    const made = objectOf(properties, seed);
    // A reference may have nothing to lead to.
    const isWhole = properties.every(
      ({ name, type, nullable }) => type.kind !== "reference" || nullable || made[name] !== null,
    );
    return isWhole ? made : null;
  },
};

/** How many values a part can have, null among them where it may be. */
function countOf(part: PropertyYaml): number | null {
  const yaml = longForm(part);
  const kind = kindNameOf(yaml);
  const count = kind === null ? null : kindNamed(kind).valueCount(yaml);
  return count === null || yaml.required === true ? count : count + 1;
}

function productOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (product, count) => (product === null || count === null ? null : product * count),
    1,
  );
}

/** An object that holds references is made of what its column holds of it. */
function decodedObject(
  value: TsCode,
  type: ObjectType,
  { nullable, json }: { readonly nullable: boolean; readonly json: TsCode },
): Doc {
  const stored = ts`@jsonOf<ReturnType<typeof encode${word(type.localName)}>>(${value}, ${json})`;
  const decoded = decodedInside(stored, { type, nullable: false });
  return nullable ? ts`${value} === null ? null : ${decoded}` : decoded;
}

function membersMistake(value: JsonObject, expected: Expected): Mistake | null {
  const { role, yaml } = expected;
  const { properties = {} } = yaml;
  const wrong = firstMistake(
    Object.entries(value).map(([name, inner]) => {
      if (!Object.hasOwn(properties, name)) return mistake("SCH-102", { role, name });
      const property = properties[name];
      const isAbsent = property === undefined || inner === null;
      return isAbsent ? null : partMistake(inner, property, expected);
    }),
  );
  if (wrong !== null) return wrong;
  const missing = Object.entries(properties).find(([name, property]) =>
    isMissing(value[name], longForm(property)),
  );
  return missing === undefined ? null : mistake("SCH-9", { key: missing[0], where: `The ${role}` });
}

/** Whether a property has to be there and is not (REP-2, REP-3). */
function isMissing(value: Json | undefined, yaml: PropertyObjectYaml): boolean {
  if (yaml.readOnly === true || (value !== undefined && value !== null)) return false;
  if (kindNameOf(yaml) === "array") return (yaml.minItems ?? 0) > 0;
  const isPreset = value === undefined && yaml.default !== undefined;
  return yaml.required === true && !isPreset;
}
