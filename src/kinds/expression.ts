import { ts, word } from "../naming/code.js";
import { callDoc, flat, objectDoc, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";

/** Code, and the runtime functions that it calls: what a view needs to print it and to import them. */
export interface Expression {
  readonly code: TsCode;
  /** The same with the places where it may be broken; left out: nowhere. */
  readonly doc?: Doc;
  readonly uses: readonly string[];
}

/** A call of the runtime function `name`. */
export function call(name: string, parts: readonly Expression[] = []): Expression {
  const doc = callDoc(
    word(name),
    parts.map((part) => part.doc ?? part.code),
  );
  return { code: flat(doc), doc, uses: [name, ...parts.flatMap((part) => part.uses)] };
}

/** Code that calls nothing of the runtime. */
export function plain(code: TsCode): Expression {
  return { code, uses: [] };
}

/** `{ maxLength: 200, format: "email" }` as the last argument of a reader; none when nothing is set. */
export function options(
  entries: Readonly<Record<string, string | number | boolean | null>>,
  encoded: Readonly<Record<string, TsCode | null>> = {},
): readonly Expression[] {
  const parts: TsCode[] = [];
  for (const [name, value] of Object.entries(entries)) {
    if (value !== null) parts.push(ts`${word(name)}: ${scalarCode(value)}`);
  }
  for (const [name, code] of Object.entries(encoded)) {
    if (code !== null) parts.push(ts`${word(name)}: ${code}`);
  }
  if (parts.length === 0) return [];
  const doc = objectDoc(parts);
  return [{ code: flat(doc), doc, uses: [] }];
}

/** A scalar as a literal. */
export function scalarCode(value: string | number | boolean): TsCode {
  return typeof value === "string" ? literal(value) : ts`${value}`;
}

/** The JSON text of a text, or of null. */
export function writeText(value: TsCode, nullable: boolean): Expression {
  return call(nullable ? "quoteOrNull" : "quote", [plain(value)]);
}
