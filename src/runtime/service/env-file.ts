import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

const FILE = ".env";
/** A variable, whose value can have several lines in quotation marks, and a comment. */
const VARIABLE =
  /^[^\S\n]*(?:export[^\S\n]+)?([^\s=#][^\s=]*)[^\S\n]*=[^\S\n]*((["'`])(?:(?!\3)[^])*\3|(?!["'`]).*?)[^\S\n]*(?:#.*)?$/gm;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables of a process, completed by those that `.env` in its working directory has; its own win. A file that is
 * not read to the last line would start another service than its writer meant: it ends the process, with exit code 1 and
 * one line that says where and why.
 */
export function withEnvFile(variables: Variables): Variables {
  if (!existsSync(FILE)) return variables;
  try {
    return { ...variablesOf(textOf(FILE)), ...variables };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The service cannot start: ${FILE}${reason}.\n`);
    process.exit(1);
  }
}

/** A byte order mark is left out, since it would hide the first variable. */
function textOf(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Error(" cannot be read", { cause: error });
  }
  // UTF-16 without a byte order mark has zeros.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new Error(" is not UTF-8: save it as UTF-8");
  return new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
}

/** Without blank lines, comments and indentation: some releases of Node take those for a part of the next name. */
function variablesOf(text: string): NodeJS.Dict<string> {
  const found: string[] = [];
  const rest = text.replace(VARIABLE, (whole, name: string, value: string) => {
    found.push(`${name}=${value}`);
    return whole.replace(/[^\n]/g, "");
  });
  const lines = rest.split("\n");
  const wrong = lines.findIndex((line) => !/^\s*(?:#|$)/.test(line));
  if (wrong === -1) return parseEnv(found.join("\n"));
  // The line is not shown: it may hold a password.
  const isQuoted = /=\s*["'`]/.test(lines[wrong] ?? "");
  const mistake = isQuoted
    ? "has an unclosed quotation mark, or text after it"
    : "is not NAME=value";
  throw new Error(`:${wrong + 1} ${mistake}`);
}
