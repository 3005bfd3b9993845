import { mostWidth, WIDTH } from "../naming/doc.js";

/**
 * The text as prettier prints it. Templates and views already print it that way, except for lines that are too long
 * and can be broken: only for those is prettier loaded, which takes longer than the rest of a run.
 */
export async function format(path: string, text: string): Promise<string> {
  if (!path.endsWith(".ts") || !hasBreakableLine(text)) return text;
  return prettierText(text);
}

/** The text as prettier prints it, whatever its width. */
export async function prettierText(text: string): Promise<string> {
  const [{ format: print }, typescript, estree] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/typescript"),
    import("prettier/plugins/estree"),
  ]);
  // prettier's own types do not count the ES tree printer as a plugin.
  const plugins = [typescript, estree as unknown as typeof typescript];
  return print(text, { parser: "typescript", plugins, printWidth: WIDTH });
}

/**
 * Prettier breaks no comment, no literal and no import of one name: a long line of that kind stays as it is. Nor does it
 * break the last line of a template literal, whose only back tick ends it.
 */
const UNBREAKABLE =
  /^ *(?:\/\/|\/?\*|[^`]*[^`(: ]`[,;]$|(?:\w+: )?`[^`]*`(?: \+|,|;)?$|"(?:[^"\\]|\\.)*"(?: \+|,|;)?$|import (?:type )?\{ [\w$]+(?: as [\w$]+)? \} from )/;

function isTooLong(line: string): boolean {
  return mostWidth(line) > WIDTH && !UNBREAKABLE.test(line);
}

/** Says whether a text has a line that prettier would break. */
export function hasBreakableLine(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    // A character takes two columns at most.
    if (2 * (end - start) > WIDTH && isTooLong(text.slice(start, end))) return true;
    start = end + 1;
  }
  return false;
}
