import { WIDTH } from "../artifacts/layout.js";

/**
 * The text as prettier prints it. Templates and views write it that way already but for lines that are too long
 * and can be broken: only then is prettier loaded, which costs more than all the rest of a run.
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

/** Prettier breaks neither a comment nor a literal: a long line that is nothing else stays as it is. */
const UNBREAKABLE = /^ *(?:\/\/|\/?\*|`[^`]*`(?: \+|,|;)?$|"(?:[^"\\]|\\.)*"(?: \+|,|;)?$)/;

function hasBreakableLine(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    if (end - start > WIDTH && !UNBREAKABLE.test(text.slice(start, end))) return true;
    start = end + 1;
  }
  return false;
}
