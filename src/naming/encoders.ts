import { InternalError } from "../diagnostics/internal-error.js";

declare const encoded: unique symbol;
interface Encoded<Kind extends string> {
  readonly [encoded]: Kind;
}

declare const form: unique symbol;
interface Form<Kind extends string> {
  readonly [form]: Kind;
}

/** A piece of TypeScript. */
export type TsCode = string & Encoded<"TsCode">;
/** A quoted string of TypeScript. */
export type TsLiteral = TsCode & Form<"literal">;
/** The key of a property in an object or a type. */
export type TsKey = TsCode & Form<"key">;
/** A piece of SQL: a quoted name or a quoted text. */
export type SqlText = string & Encoded<"SqlText">;

/** A quoted string whose value is `text`, exactly as prettier prints it, and inert in any tool that reads it. */
export function literal(text: string): TsLiteral {
  // Most texts contain nothing to escape.
  if (PLAIN.test(text)) return `"${text}"` as TsLiteral;
  const escaped = JSON.stringify(text).slice(1, -1).replace(UNSAFE, escapeUnits);
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  // Every character that could end the string, or be misread in it, is escaped.
  return (
    doubles > singles ? `'${escaped.replace(/\\.|'/gs, requote)}'` : `"${escaped}"`
  ) as TsLiteral;
}

/** A regular expression with the flag `u`: a plain `/.../u` where nothing in it could end it early. */
export function regex(source: string): TsCode {
  const plain =
    source.length <= 80 && /^[\x20-\x2e\x30-\x7e]+$/.test(source) && !source.startsWith("*");
  // A valid pattern of printable ASCII without a slash is one token; anything else goes through `literal`.
  return (
    plain && isValidPattern(source) ? `/${source}/u` : `new RegExp(${literal(source)}, "u")`
  ) as TsCode;
}

/** The key of a property, quoted if necessary; `__proto__` would set the prototype, so it is computed. */
export function key(name: string): TsKey {
  if (name === "__proto__") return '["__proto__"]' as TsKey; // fixed text
  // Matched against the alphabet of identifiers, or quoted.
  return (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : literal(name)) as string as TsKey;
}

/** A name in SQL, always in double quotes, so that no word is reserved; throws an `InternalError` for a NUL. */
export function sqlName(name: string): SqlText {
  return quoteSql(name, '"');
}

/** A text in SQL, in single quotes; throws an `InternalError` for a NUL, which PostgreSQL cannot hold. */
export function sqlText(text: string): SqlText {
  return quoteSql(text, "'");
}

/** Printable ASCII without quotes, backslash and `<`. */
const PLAIN = /^[ !#-&(-;=-[\]-~]*$/;

/** Characters that JSON does not escape, but a reader, an HTML page or an editor could misread. */
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}|<(?=\/|!--)/gu;

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** In single quotes, a double quote is not escaped and a single quote is. */
function requote(part: string): string {
  if (part === '\\"') return '"';
  return part === "'" ? "\\'" : part;
}

function isValidPattern(source: string): boolean {
  try {
    return new RegExp(source, "u").source === source;
  } catch {
    return false;
  }
}

function quoteSql(text: string, quote: '"' | "'"): SqlText {
  if (text.includes("\0")) throw new InternalError("a text for SQL holds a NUL");
  // Doubling the quote is the only escape that standard SQL has.
  return `${quote}${text.replaceAll(quote, quote + quote)}${quote}` as SqlText;
}
