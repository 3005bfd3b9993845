import type { TsCode } from "./encoders.js";

/** Stands before a name that the file imports: no encoder lets a control character through, so that no schema can write it. */
export const MARK = "\u0001";

/** A marked name; what it is exported as, and by which file, stands between the mark and the name where it is known. */
export const MARKED = /\u0001(?:(type )?([^\u0001\u0002#]*)#([\w$]+)\u0002)?([\w$]+)/g;

/**
 * A name that another file exports, as code that makes the file import it: `type Order`; or `orders`, here `orderHooks`.
 * A type of the schema has no file of its own: that depends on where it is used.
 */
export function imported(file: string, exported: string, name?: string): TsCode {
  const [, type = "", plain = ""] = /^(type )?(.*)$/.exec(exported) ?? [];
  // Files and names are plain, and the mark says where the name begins.
  return `${MARK}${type}${file}#${plain}\u0002${name ?? plain}` as TsCode;
}

/** A type that the schema declares, or the values of an enum. */
export function ofSchema(name: string): TsCode {
  return imported("", name);
}

/** Code as it is printed in the end. */
export function withoutMarks(code: string): string {
  return code.includes(MARK) ? code.replace(MARKED, "$4") : code;
}
