import { ts, word } from "../naming/code.js";
import { callDoc, objectDoc, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";

/** A call of the runtime function `name`. */
export function call(name: string, parts: readonly Doc[] = []): Doc {
  return callDoc(ts`@${word(name)}`, parts);
}

/** `{ maxLength: 200, format: "email" }` as the last argument of a reader; none when nothing is set. */
export function options(
  entries: Readonly<Record<string, string | number | boolean | null>>,
  encoded: Readonly<Record<string, TsCode | null>> = {},
): readonly Doc[] {
  const parts: TsCode[] = [];
  for (const [name, value] of Object.entries(entries)) {
    if (value !== null) parts.push(ts`${word(name)}: ${scalarCode(value)}`);
  }
  for (const [name, code] of Object.entries(encoded)) {
    if (code !== null) parts.push(ts`${word(name)}: ${code}`);
  }
  return parts.length === 0 ? [] : [objectDoc(parts)];
}

/** A scalar as a literal. */
export function scalarCode(value: string | number | boolean): TsCode {
  return typeof value === "string" ? literal(value) : ts`${value}`;
}

/** The JSON text of a text, or of null. */
export function writeText(value: TsCode, nullable: boolean): Doc {
  return call(nullable ? "quoteOrNull" : "quote", [value]);
}
