import { InternalError } from "../diagnostics/internal-error.js";
import type { TsCode } from "./encoders.js";
import { MARK } from "./imported.js";
import type { DocComment } from "./doc-comment.js";

/**
 * Code made of fixed text and of code: a plain string in a gap does not compile. A name with `@` before it is one that the
 * file imports.
 */
export function ts(
  fixed: TemplateStringsArray,
  ...parts: readonly (TsCode | DocComment | number | boolean)[]
): TsCode {
  // A plain loop, because this runs for every piece of every file and String.raw is several times slower.
  let code = marked(fixed[0]);
  for (const [index, part] of parts.entries()) code += String(part) + marked(fixed[index + 1]);
  // Fixed text is ours, and every part is encoded.
  return code as TsCode;
}

function marked(text = ""): string {
  return text.includes("@") ? text.replaceAll("@", MARK) : text;
}

/** Pieces of code, one after the other. */
export function joined(parts: readonly TsCode[], separator: string): TsCode {
  return parts.join(separator) as TsCode;
}

/** A name of the model as code; throws an `InternalError` for a text that is not a plain name. */
export function word(name: string): TsCode {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) {
    throw new InternalError(`${JSON.stringify(name)} is not a name`);
  }
  return name as TsCode;
}

/** A path, a URL path or dotted names as code for a comment; throws an `InternalError` for any other text. */
export function pathText(path: string): TsCode {
  if (!/^[A-Za-z0-9_{}./\-[\]]*$/.test(path)) {
    throw new InternalError(`${JSON.stringify(path)} is not a path`);
  }
  return path as TsCode;
}

/** SQL, escaped for a template literal. */
export function templateText(sql: string): TsCode {
  // With these three escaped, nothing can end the template literal or start code in it.
  return sql.replace(/[`\\]|\$(?=\{)/g, "\\$&") as TsCode;
}
