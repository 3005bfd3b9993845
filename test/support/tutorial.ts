import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** What a reader of a tutorial does, in order. */
export type TutorialStep =
  | {
      readonly kind: "run";
      readonly command: string;
      /** What is printed; `…` stands for more. */
      readonly output: readonly string[];
      readonly line: number;
    }
  /** Lines of a file are replaced: those with `-` go, those with `+` come, the others stay. */
  | {
      readonly kind: "edit";
      readonly path: string;
      readonly lines: readonly string[];
      readonly line: number;
    }
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly line: number }
  | { readonly kind: "picture"; readonly name: string; readonly line: number };

/** The steps of a page of `docs/`: its blocks of commands, edits and files, and its pictures. */
export function tutorialSteps(path: string): readonly TutorialStep[] {
  const lines = readFileSync(resolve(path), "utf8").split("\n");
  const steps: TutorialStep[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    const picture = /^!\[.*\]\(pictures\/([\w-]+)\.png\)$/.exec(lines[at] ?? "");
    if (picture?.[1] !== undefined) steps.push({ kind: "picture", name: picture[1], line });
    const [, language, file] = /^```(\w+)(?: (\S+))?$/.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const block = lines.slice(at + 1, end);
    at = end;
    if (language === "console") steps.push(...commands(block, line + 1));
    else if (file !== undefined && language === "diff") {
      steps.push({ kind: "edit", path: file, lines: block, line });
    } else if (file !== undefined) {
      steps.push({ kind: "write", path: file, text: `${block.join("\n")}\n`, line });
    }
  }
  return steps;
}

function commands(block: readonly string[], first: number): TutorialStep[] {
  const starts = block.flatMap((text, index) => (text.startsWith("$ ") ? [index] : []));
  return starts.map((start, index) => ({
    kind: "run",
    command: (block[start] ?? "").slice(2),
    output: block.slice(start + 1, starts[index + 1] ?? block.length),
    line: first + start,
  }));
}

/** The text of a file after an edit. Throws where the lines are not there, or are there twice. */
export function edited(text: string, lines: readonly string[]): string {
  const bare = (wanted: string): string =>
    lines
      .filter((line) => line === "" || line.startsWith(" ") || line.startsWith(wanted))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const [before, after] = [bare("-"), bare("+")];
  const parts = `\n${text}`.split(`\n${before}`);
  if (parts.length !== 2)
    throw new Error(`these lines stand there ${parts.length - 1} times:\n${before}`);
  return parts.join(`\n${after}`).slice(1);
}

/** What of the output of a command is not as the page says; null: it is. Only what is printed beside `…` may be more. */
export function outputProblem(found: string, wanted: readonly string[]): string | null {
  const shown = found.replace(/\s+$/, "");
  const pattern = wanted
    .map((line) => (line === "…" ? "(?:[^\\n]*\\n)*?" : `${lineOf(line)}\\n`))
    .join("");
  if (wanted.length === 0) return null;
  const isAsTold = new RegExp(`^${pattern}$`, "u").test(`${shown}\n`);
  return isAsTold ? null : `wanted:\n${wanted.join("\n")}\nfound:\n${shown}`;
}

/** `…` in a line is any text; so are identifiers and times, which differ each time. */
function lineOf(line: string): string {
  return line
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("[^\\n]*");
}
