import { ts, word } from "../naming/code.js";
import {
  arrayDoc,
  callDoc,
  objectDoc,
  printed,
  prefixed,
  returnedObjectDoc,
  type Doc,
} from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ConversionRule, PairModel, PairSide } from "../model/conversion-model.js";
import { pairExport } from "../model/own-pairs.js";
import type { ResourceModel } from "../model/resource-model.js";
import { fileCode, resourceHeader } from "./header-view.js";
import { ofEntity, ofResource } from "./modules.js";
import { conversionName, isSame, pairFile, pairsName, pairType } from "./shaped.js";
import { call } from "../kinds/expression.js";
// Before the other kinds, which know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { valuesConstant } from "../kinds/enum/enum-kind.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { imported, ofSchema } from "../naming/imported.js";

/** The file of what is converted from a version of a resource to the next, and back (VER-2, REP-9). */
export function pairsCode(resource: ResourceModel): TsCode {
  const { entity, pairs, version } = resource;
  const declared = pairs.flatMap((pair) =>
    pair.rules === null ? [] : [declaredCode(resource, pair, pair.rules)],
  );
  const head = ts`export const ${pairsName(resource)}: readonly @StoredPair[] = `;
  const stored = arrayDoc(pairs.map((pair) => storedPairDoc(resource, pair)));
  const newer = word(pairs[0]?.newer.version ?? "");
  const told = ts`/** The properties that ${word(entity.name.plural)} have in one form in ${word(version)} and in another in ${newer}. Both are stored: a write of one form fills the other (VER-2). */`;
  return fileCode(resourceHeader(resource), [
    ...declared,
    ts`${told}\n${head}${printed(stored, { before: head, after: ";" })};`,
  ]);
}

function storedPairDoc(resource: ResourceModel, pair: PairModel): Doc {
  const { newer, older, rules, storedPath } = pair;
  const file = pairFile(resource, pair);
  const functions =
    rules === null ? imported(file, pairExport(resource, pair)) : word(pairExport(resource, pair));
  const entries = [
    ts`version: ${literal(older.version)}`,
    ts`file: ${literal(file)}`,
    ...(storedPath === "" ? [] : [ts`path: ${literal(storedPath)}`]),
    prefixed(
      ts`older: `,
      formDoc(older, (name) => ofSchema(name)),
    ),
    prefixed(
      ts`newer: `,
      formDoc(newer, (name) => newerConstant(resource, newer, name)),
    ),
  ];
  return callDoc(ts`@storedPair`, [functions, objectDoc(entries, true)]);
}

/** Where the values of an enum are declared, by the name of the constant. */
type ConstantOf = (name: string) => TsCode;

function newerConstant(
  { entity }: ResourceModel,
  { isShaped, plural, version }: PairSide,
  name: string,
): TsCode {
  if (!isShaped) return ofEntity(entity, "entity", name);
  const called = `${version.toUpperCase()}_${name}`;
  return ofResource({ name: { plural }, version }, "dto", name, called);
}

/** `{ read: { weight: required(decimal(…)) }, names: { weight: "mass" } }` */
function formDoc({ members, plural, version }: PairSide, constantOf: ConstantOf): Doc {
  const renamed = members.filter(({ property, origin }) => property.name !== origin.name);
  const names = renamed.map(
    ({ property, origin }) => ts`${key(property.name)}: ${literal(origin.name)}`,
  );
  const values = members
    .filter(({ value }) => !isSame(value))
    .map((member) => {
      const name = conversionName(member);
      const constant = ofResource({ name: { plural }, version }, "conversions", name);
      return ts`${key(member.property.name)}: ${constant}`;
    });
  return objectDoc([
    prefixed(
      ts`read: `,
      objectDoc(members.map(({ property }) => shownReaderDoc(property, constantOf))),
    ),
    ...(names.length === 0 ? [] : [prefixed(ts`names: `, objectDoc(names))]),
    ...(values.length === 0 ? [] : [prefixed(ts`values: `, objectDoc(values))]),
  ]);
}

/** The pair of functions that the words of the schema say (VER-2). */
function declaredCode(
  resource: ResourceModel,
  pair: PairModel,
  rules: readonly ConversionRule[],
): TsCode {
  const { older, newer } = pair;
  const named = { name: older, version: older.version };
  const type = ofResource(named, "dto", `type ${pairType(resource, pair)}`);
  const head = ts`export const ${word(pairExport(resource, pair))}: ${type} = `;
  const functions = [
    prefixed(ts`toNewer: (older) => `, returnedObjectDoc(rules.map(toNewer))),
    prefixed(ts`toOlder: (newer) => `, returnedObjectDoc(rules.map(toOlder))),
  ];
  return ts`/** Makes the properties of ${word(newer.version)} from those of ${word(older.version)} and back, as the schema says (VER-2). */
${head}${printed(objectDoc(functions, true), { before: head, after: ";" })};`;
}

function toNewer(rule: ConversionRule): Doc {
  const from = ts`older.${word(rule.from)}`;
  const made =
    rule.kind === "unit"
      ? helper(rule, "unitsToDecimal", [from, ts`${rule.scale}`])
      : helper(rule, "renamedValue", [namesDoc(Object.entries(rule.values)), from]);
  return prefixed(ts`${word(rule.to)}: `, made);
}

function toOlder(rule: ConversionRule): Doc {
  const to = ts`newer.${word(rule.to)}`;
  if (rule.kind === "unit") {
    const made = helper(rule, "decimalToUnits", [to, ts`${rule.scale}`]);
    return prefixed(ts`${word(rule.from)}: `, made);
  }
  const back = Object.entries(rule.values).map(([was, is]) => [is, was] as const);
  return prefixed(ts`${word(rule.from)}: `, helper(rule, "renamedValue", [namesDoc(back), to]));
}

function helper({ isNullable }: ConversionRule, name: string, given: readonly Doc[]): Doc {
  return callDoc(ts`@${word(isNullable ? `${name}OrNull` : name)}`, given);
}

function namesDoc(names: readonly (readonly [string, string])[]): Doc {
  return objectDoc(names.map(([name, other]) => ts`${key(name)}: ${literal(other)}`));
}

/** `callMinutes: nullable(integer({ minimum: 0 }))`: how a converted value of a property is read (REP-9). */
function shownReaderDoc(property: PropertyModel, constantOf: ConstantOf): Doc {
  return prefixed(ts`${word(property.name)}: `, shownReader(property, constantOf));
}

/** What is left out has no default: nobody sent it. */
function shownReader({ type, nullable }: PropertyModel, constantOf: ConstantOf): Doc {
  const reader = typeReader(type, constantOf);
  return type.kind === "array" ? reader : call(nullable ? "nullable" : "required", [reader]);
}

/** SCH-310: none of it refers to others. */
function typeReader(type: PropertyType, constantOf: ConstantOf): Doc {
  if (type.kind === "array") return listReader(typeReader(type.items, constantOf), type);
  if (type.kind === "enum") return call("oneOf", [constantOf(valuesConstant(type.typeName))]);
  if (type.kind !== "object") return kindOf(type).reader(type);
  const properties = type.properties.map((property) => shownReaderDoc(property, constantOf));
  return call("shape", [objectDoc(properties)]);
}
