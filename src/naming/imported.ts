import { InternalError } from "../diagnostics/internal-error.js";
import type { TsCode } from "./encoders.js";

/** Stands before a name that the file imports: no encoder lets a control character through, so that no schema can write it. */
export const MARK = "\u0001";

const EXPORTED = /^(type )?(.*)$/s;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** A marked name; what it is exported as, and by which file, stands between the mark and the name where it is known. */
export const MARKED = /\u0001(?:(type )?([^\u0001\u0002#]*)#([\w$]+)\u0002)?([\w$]+)/g;

/**
 * A name that another file exports, `type Order` or `orders`, as code that makes the file import it, under another `name`
 * where one is given. Throws an `InternalError` for a text that is not a plain name.
 */
export function imported(file: string, exported: string, name?: string): TsCode {
  const [, type = "", plain = ""] = EXPORTED.exec(exported) ?? [];
  const local = name ?? plain;
  if (!NAME.test(plain) || !NAME.test(local)) {
    throw new InternalError(`${JSON.stringify([exported, local])} are not names`);
  }
  // Both are names, and the file is encoded where it is imported.
  return `${MARK}${type}${file}#${plain}\u0002${local}` as TsCode;
}

/** A type that the schema declares, or the values of an enum: `withImports` is told which file declares it. */
export function ofSchema(name: string): TsCode {
  return imported("", name);
}

/** Code as it is printed in the end. */
export function withoutMarks(code: string): string {
  return code.includes(MARK) ? code.replace(MARKED, "$4") : code;
}
