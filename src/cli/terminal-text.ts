import type { Terminal } from "./terminal.js";

/** The width that is comfortable to read, in columns. */
const COLUMNS = 96;

/** Markdown of our own pages as text for a terminal: marks gone, code indented, paragraphs wrapped. */
export function terminalText(markdown: string, colors: Terminal["colors"]): string {
  let isCode = false;
  let heads: readonly string[] = [];
  const lines = markdown.split("\n").flatMap((line) => {
    if (line.startsWith("```")) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [`    ${line}`];
    if (line.startsWith("|")) {
      const cells = cellsOf(line);
      if (heads.length > 0) return rowLines(heads, cells, colors);
      heads = cells;
      return [];
    }
    heads = [];
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    if (heading !== undefined) return wrapped(plain(heading)).map((text) => colors.bold(text));
    return wrapped(plain(line));
  });
  // A table ends with an empty line of its own.
  return lines.join("\n").replace(/\n{3,}/g, "\n\n");
}

/** The texts between the bars of a row. */
function cellsOf(line: string): readonly string[] {
  const inner = line.replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => plain(cell.replaceAll("\\|", "|").trim()));
}

/** A row of a table that is too wide for a terminal: its name, and each further cell below it. */
function rowLines(
  heads: readonly string[],
  [name = "", ...others]: readonly string[],
  colors: Terminal["colors"],
): readonly string[] {
  if (/^-+$/.test(name)) return [];
  const below = others.flatMap((cell, at) => wrapped(`- ${heads[at + 1] ?? ""}: ${cell}`));
  return [...wrapped(name).map((text) => colors.bold(text)), ...below, ""];
}

/** Without the marks of links, code and emphasis. */
function plain(line: string): string {
  return line
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/`([^`]+)`/g, "$1");
}

/** Lines of at most so many columns, where words allow; those of a list item are indented below it. */
function wrapped(line: string): readonly string[] {
  const indent = line.startsWith("- ") ? "  " : "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > COLUMNS) {
      lines.push(current);
      current = indent + word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
