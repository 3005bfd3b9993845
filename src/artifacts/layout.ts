import { ts } from "../naming/code.js";
import {
  arrayDoc,
  callDoc,
  mostWidth,
  objectDoc,
  prefixed,
  printed,
  WIDTH,
  type Doc,
  type Surroundings,
} from "../naming/doc.js";
import { type TsCode } from "../naming/encoders.js";

/** What `arrayCode` and its like take beside their surroundings. */
export type Expandable = Surroundings & { readonly expanded?: boolean };

/** `[a, b]` as prettier prints it: on one line where that fits, else an item a line; `expanded` in any case. */
export function arrayCode(items: readonly Doc[], around: Expandable = {}): TsCode {
  return printed(arrayDoc(items, around.expanded), around);
}

/** `{ a: 1, b: 2 }`, likewise; `expanded` puts an entry a line in any case. */
export function objectCode(entries: readonly Doc[], around: Expandable = {}): TsCode {
  return printed(objectDoc(entries, around.expanded), around);
}

/** `name: [a, b]`, a member of an object that is indented by two columns; none where the list is empty. */
export function listEntry(name: TsCode, items: readonly Doc[], expanded = false): TsCode[] {
  const entry = prefixed(ts`${name}: `, arrayDoc(items, expanded));
  return items.length === 0 ? [] : [printed(entry, { indent: 2, after: "," })];
}

/** `name(a, b)`, likewise. */
export function callCode(name: TsCode, parameters: readonly Doc[], around: Surroundings): TsCode {
  return printed(callDoc(name, parameters), around);
}

/** `function name(a: A, b: B): C {`, likewise. */
export function signatureCode(
  head: TsCode,
  parameters: readonly TsCode[],
  returns: TsCode,
  { indent = 0 }: Pick<Surroundings, "indent"> = {},
): TsCode {
  const tail = ts`: ${returns} {`;
  return ts`${callCode(head, parameters, { indent, after: tail })}${tail}`;
}

/** `export type Name = Other<One>;`; where that does not fit, what is named stands on a line of its own. */
export function typeAliasCode(name: TsCode, type: TsCode): TsCode {
  const flat = ts`export type ${name} = ${type};`;
  return mostWidth(flat) <= WIDTH ? flat : ts`export type ${name} =\n  ${type};`;
}

/** The clauses of a statement, on one line where that fits, else each on a line of its own, further in. */
export function clausesText(clauses: readonly string[], around: Surroundings): string {
  const { indent = 0, before = "", after = "" } = around;
  const flat = clauses.join(" ");
  if (indent + mostWidth(before + flat + after) <= WIDTH) return flat;
  return clauses.join(`\n${" ".repeat(indent + 2)}`);
}
