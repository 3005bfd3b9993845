import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

const FILE = ".env";
const VARIABLE = /^(?:export\s+)?([^\s=]+)\s*=\s*(.*)$/;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables of a process, completed by those that `.env` in its working directory has; its own win. A file that is
 * not read to the last line would start another service than its writer meant: it ends the process, with exit code 1 and
 * one line that says where and why.
 */
export function withEnvFile(variables: Variables): Variables {
  if (!existsSync(FILE)) return variables;
  try {
    return { ...parseEnv(plainLines(textOf(FILE)).join("\n")), ...variables };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The service cannot start: ${FILE}${reason}.\n`);
    process.exit(1);
  }
}

/** A byte order mark is left out, since it would hide the first variable. */
function textOf(file: string): string {
  const text = decoded(bytesOf(file));
  // UTF-16 without a byte order mark has zeros.
  if (text === null || text.includes("\0")) throw new Error(" is not UTF-8: save it as UTF-8");
  return text;
}

/** Null where the bytes are not UTF-8. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(" cannot be read", { cause: error });
  }
}

/** One variable after the other, without blank lines, comments and indentation: some releases of Node take those for a part of the next name. */
function plainLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const plain: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? "").trimStart();
    if (line === "" || line.startsWith("#")) continue;
    const [, name, value = ""] = VARIABLE.exec(line) ?? [];
    // The line is not shown: it may hold a password.
    if (name === undefined) throw new Error(`:${index + 1} is not NAME=value`);
    const end = endOfQuoted(lines, index, value);
    plain.push([`${name}=${value}`, ...lines.slice(index + 1, end + 1)].join("\n"));
    index = end;
  }
  return plain;
}

/** The last line of a value, which can have several in quotation marks. */
function endOfQuoted(lines: readonly string[], start: number, value: string): number {
  const [quote = ""] = value;
  if (!/["'`]/.test(quote)) return start;
  let end = start;
  let rest = value.slice(1);
  while (!rest.includes(quote)) {
    end += 1;
    const next = lines[end];
    if (next === undefined) {
      throw new Error(`:${start + 1} has an unclosed quotation mark`);
    }
    rest = next;
  }
  const after = rest.slice(rest.indexOf(quote) + 1).trim();
  if (after === "" || after.startsWith("#")) return end;
  throw new Error(`:${end + 1} has text after the closing quotation mark`);
}
