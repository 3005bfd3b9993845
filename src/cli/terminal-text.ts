import type { Terminal } from "./terminal.js";

/** The width that is comfortable to read, in columns. */
const COLUMNS = 96;

/** Markdown of our own pages as text for a terminal: marks gone, code indented, paragraphs wrapped. */
export function terminalText(markdown: string, colors: Terminal["colors"]): string {
  let isCode = false;
  const lines = markdown.split("\n").flatMap((line) => {
    if (line.startsWith("```")) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [`    ${line}`];
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    if (heading !== undefined) return wrapped(plain(heading)).map((text) => colors.bold(text));
    return wrapped(plain(line));
  });
  return lines.join("\n");
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
