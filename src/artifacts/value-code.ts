import { ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { Value } from "../model/service-model.js";
import { arrayCode, objectCode, type Surroundings } from "./layout.js";

/** A JSON value as code. */
export function valueCode(value: Value | null, around: Surroundings & { readonly expanded?: boolean } = {}): TsCode {
  if (typeof value === "string") return literal(value);
  if (typeof value === "number" || typeof value === "boolean") return ts`${value}`;
  if (value === null) return ts`null`;
  const inner = (around.indent ?? 0) + 2;
  if (isList(value)) {
    return arrayCode(
      value.map((item) => valueCode(item, { indent: inner })),
      around,
    );
  }
  const entries = Object.entries(value).map(([name, member]) => {
    const before = `${key(name)}: `;
    return ts`${key(name)}: ${valueCode(member, { indent: inner, before, after: "," })}`;
  });
  return objectCode(entries, around);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
