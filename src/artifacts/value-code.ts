import { joined, ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { Value } from "../kinds/property-model.js";
import { arrayCode, objectCode } from "./layout.js";
import { type Surroundings } from "../naming/doc.js";

/** A JSON value as code. */
export function valueCode(
  value: Value | null,
  around: Surroundings & { readonly expanded?: boolean } = {},
): TsCode {
  if (typeof value === "string") return literal(value);
  if (typeof value === "number" || typeof value === "boolean") return ts`${value}`;
  if (value === null) return ts`null`;
  const inner = (around.indent ?? 0) + 2;
  if (isList(value)) return listCode(value, around, inner);
  const entries = Object.entries(value).map(([name, member]) => {
    const before = `${key(name)}: `;
    return ts`${key(name)}: ${valueCode(member, { indent: inner, before, after: "," })}`;
  });
  return objectCode(entries, around);
}

/** prettier breaks a list of several objects, or of several lists, that have several members each. */
function listCode(items: readonly Value[], around: Surroundings, indent: number): TsCode {
  const codes = items.map((item) => valueCode(item, { indent }));
  // Numbers that do not fit are filled into lines: that is left to prettier.
  if (items.every((item) => typeof item === "number")) return ts`[${joined(codes, ", ")}]`;
  return arrayCode(codes, { ...around, expanded: items.length > 1 && items.every(hasSeveral) });
}

function hasSeveral(value: Value): boolean {
  return typeof value === "object" && Object.keys(value).length > 1;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
