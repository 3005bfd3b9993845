import type { Finding } from "./attack.js";

/** Findings as a Markdown table, so that it can be pasted into docs/reliability.md. */
export function attackTable(findings: readonly Finding[]): string {
  const rows = [
    ["what", "measured", "bound", "ok"],
    ...findings.map(({ name, measured, bound, isMet }) => [name, measured, bound, mark(isMet)]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

function mark(isMet: boolean | null): string {
  return isMet === null ? "-" : isMet ? "ok" : "MISSED";
}
