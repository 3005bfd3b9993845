declare const encoded: unique symbol;

/** A TypeScript doc comment that is closed and contains no directive to a tool. */
export type DocComment = string & { readonly [encoded]: "DocComment" };

/**
 * A text as a doc comment for code that is indented by `indent` columns; "" for a blank text. Lines are
 * wrapped at 100 columns. The first line is not indented: the template has done that.
 */
export function doc(text: string, indent = 0): DocComment {
  const margin = " ".repeat(indent);
  const lines = inert(text).flatMap((line) => wrap(line, 100 - indent - 3));
  // Every line went through `inert`, and the frame around them is fixed text.
  if (lines.length === 0) return "" as DocComment;
  const [only = ""] = lines;
  if (lines.length === 1 && indent + only.length + 7 <= 100) return `/** ${only} */` as DocComment;
  const body = lines.map((line) => `${margin} * ${line}`.trimEnd());
  return ["/**", ...body, `${margin} */`].join("\n") as DocComment;
}

/** The lines of a text, trimmed, in which nothing can close the comment or direct a tool. */
function inert(text: string): string[] {
  const lines = text
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
    .replace(/[^\n\t\P{C}]/gu, "")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\t ]+/g, " ")
    .replace(/\*(?=\/)/g, "* ")
    .replace(/\/(?=\*)/g, "/ ")
    .replace(/(^|[^A-Za-z0-9])@(?=[A-Za-z])/g, "$1@ ")
    .replace(DIRECTIVE, (_, word: string, rest: string) => `${word}_${rest}`)
    .replace(/sourceMappingURL(?==)|sourceURL(?==)/g, "$& ")
    .split("\n")
    .map((line) => line.trim());
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** `eslint-disable`, `prettier-ignore`, `istanbul ignore next`: broken at the character between the words. */
const DIRECTIVE =
  /(eslint|tslint|jshint|jslint|prettier|biome|oxlint|dprint|deno|istanbul|c8|v8|coverage|stryker|webpack|rollup)[-: ]+(disable|enable|ignore|fmt|env|global|lint|file)/gi;

/** Breaks a line between words; a word that is too long gets its own line. */
function wrap(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
