import { joined, ts, word } from "../naming/code.js";
import {
  callDoc,
  objectDoc,
  printed,
  prefixed,
  returnedObjectDoc,
  type Doc,
} from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ConversionRule, PairModel } from "../model/conversion-model.js";
import { ownPairs, pairExport } from "../model/own-pairs.js";
import type { ResourceModel } from "../model/resource-model.js";
import { fileCode, resourceHeader } from "./header-view.js";
import { ofResource } from "./modules.js";
import { pairFile, pairType } from "./shaped.js";
import { call } from "../kinds/expression.js";
// Before the other kinds, which know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { imported } from "../naming/imported.js";

/** The file of what custom code converts from a version of a resource to the next, and how what it shows is read (VER-2, REP-9). */
export function pairsCode(resource: ResourceModel): TsCode {
  const pairs = ownPairs(resource).flatMap((pair) => [
    ...(pair.rules === null ? [] : [declaredCode(resource, pair, pair.rules)]),
    pairCode(resource, pair),
  ]);
  return fileCode(resourceHeader(resource), pairs);
}

function pairCode(resource: ResourceModel, pair: PairModel): TsCode {
  const { inOlder, older, newer, name, rules } = pair;
  const file = pairFile(resource, pair);
  const names = joined(
    inOlder.map(({ property }) => ts`\`${property.path as TsCode}\``),
    ", ",
  );
  const converted = callDoc(ts`@convertedPair`, [
    rules === null ? imported(file, pairExport(resource, pair)) : word(pairExport(resource, pair)),
    literal(file),
    objectDoc(inOlder.map(({ property }) => shownReaderDoc(property))),
  ]);
  const head = ts`export const ${word(name)} = `;
  const kind = rules === null ? ts`custom conversions` : ts`conversions`;
  return ts`/** ${names}: ${kind} from ${word(older.version)} to ${word(newer.version)} and back; their results are checked before they are shown (REP-9). */
${head}${printed(converted, { before: head, after: ";" })};`;
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

/** `callMinutes: nullable(integer({ minimum: 0 }))`: how own code's value of a property is read before it is shown (REP-9). */
function shownReaderDoc(property: PropertyModel): Doc {
  return prefixed(ts`${word(property.name)}: `, shownReader(property));
}

/** What is left out has no default: nobody sent it. */
function shownReader({ type, nullable }: PropertyModel): Doc {
  const reader = typeReader(type);
  return type.kind === "array" ? reader : call(nullable ? "nullable" : "required", [reader]);
}

/** SCH-310: none of it refers to others. */
function typeReader(type: PropertyType): Doc {
  if (type.kind === "array") return listReader(typeReader(type.items), type);
  if (type.kind !== "object") return kindOf(type).reader(type);
  return call("shape", [objectDoc(type.properties.map(shownReaderDoc))]);
}
