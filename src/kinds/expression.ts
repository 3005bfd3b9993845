import { joined, ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";

/** Code, and the kernel functions that it calls: what a view needs to print it and to import them. */
export interface Expression {
  readonly code: TsCode;
  readonly uses: readonly string[];
}

/** A call of the kernel function `name`. */
export function call(name: string, parts: readonly Expression[] = []): Expression {
  const given = joined(
    parts.map((part) => part.code),
    ", ",
  );
  return { code: ts`${word(name)}(${given})`, uses: [name, ...parts.flatMap((part) => part.uses)] };
}

/** Code that calls nothing of the kernel. */
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
  return parts.length === 0 ? [] : [plain(ts`{ ${joined(parts, ", ")} }`)];
}

/** A scalar as a literal. */
export function scalarCode(value: string | number | boolean): TsCode {
  return typeof value === "string" ? literal(value) : ts`${value}`;
}
