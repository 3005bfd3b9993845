import { readdirSync, readFileSync } from "node:fs";
import { format } from "../../src/diagnostics/format.js";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { load } from "../../src/load/load.js";
import { validate } from "../../src/validate/validate.js";
import type { Texts } from "./render-files.js";

/** A page of docs/diagnostics as the project with the mistake, what is printed for it, and the project without. */
export interface DiagnosticPage {
  /** Null where the page shows something other than the files of a project. */
  readonly wrong: Texts | null;
  readonly output: string | null;
  readonly right: Texts | null;
}

/** A code block with the line that introduces it. */
interface Block {
  readonly lead: string;
  readonly language: string;
  readonly text: string;
}

const FOLDER = "docs/diagnostics";

/** The code of every page. */
export const PAGE_CODES: readonly string[] = readdirSync(FOLDER)
  .map((name) => name.replace(/\.md$/, ""))
  .sort();

/** The path of a diagnostic's page. */
export function pageFile(code: string): string {
  return `${FOLDER}/${code}.md`;
}

/** Reads the page of a diagnostic. */
export function diagnosticPage(code: string): DiagnosticPage {
  return parsePage(readFileSync(pageFile(code), "utf8"));
}

/** Reads the project with a mistake that a page shows. */
export function wrongProject(code: string): Texts {
  const { wrong } = diagnosticPage(code);
  if (wrong === null) throw new Error(`the page of ${code} has no project`);
  return wrong;
}

/** ``Wrong, in `service.yaml`:``; `alone` leaves the defaults out, and `instead of` names a file that is gone. */
const FILE_LEAD =
  /^(?:Wrong, in|Right, in|And in) `(?<path>[^`]+)`(?<alone>(?<=^Wrong.*) alone)?(?: instead of `(?<gone>[^`]+)`)?:$/;

/** Parses a page; throws where a code block follows none of the known lines. */
export function parsePage(page: string): DiagnosticPage {
  const wrong = new Map<string, string>();
  let right: Map<string, string> | null = null;
  let isAlone = false;
  let output: string | null = null;
  for (const { lead, language, text } of blocksOf(page)) {
    if (lead.startsWith("Right")) right = new Map(wrong);
    const { path, alone, gone } = FILE_LEAD.exec(lead)?.groups ?? {};
    const isKnown = gone === undefined || right?.delete(gone) === true;
    if (path !== undefined && language === "yaml" && isKnown) {
      isAlone ||= alone !== undefined;
      (right ?? wrong).set(path, text);
    } else if (lead === "Output:" && language === "text" && wrong.size > 0 && output === null) {
      output = text;
    } else if (lead === "Right:" && language === "yaml" && wrong.size === 1) {
      for (const only of wrong.keys()) right?.set(only, text);
    } else if ((lead !== "Wrong:" && lead !== "Right:") || wrong.size > 0) {
      throw new Error(`"${lead}" does not say what the block after it is`);
    }
  }
  return {
    wrong: isAlone ? Object.fromEntries(wrong) : completed(wrong),
    output,
    right: completed(right),
  };
}

/** Replaces the output that a page shows. */
export function withOutput(page: string, output: string): string {
  return page.replace(/(?<=^Output:\n```text\n)[^]*?(?=^```$)/m, () => output);
}

/** Validates a project. */
export async function diagnosticsOf(project: Texts): Promise<readonly Diagnostic[]> {
  const placed = Object.entries(project).map(([path, text]) => [`/project/${path}`, text]);
  const loaded = load(new MemoryFiles(Object.fromEntries(placed) as Texts), "/project");
  const { diagnostics } = loaded.ok ? await validate(loaded.value) : loaded;
  return diagnostics;
}

/** What validate prints for a project: nothing where it has no mistake. */
export async function printedFor(project: Texts): Promise<string> {
  return format(await diagnosticsOf(project));
}

function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/^(.*)\n```(.*)\n([^]*?)^```$/gm);
  const found = [...blocks].map(([, lead = "", language = "", text = ""]) => ({
    lead,
    language,
    text,
  }));
  if (page.match(/^```/gm)?.length !== found.length * 2) throw new Error("a block has no end");
  return found;
}

/** Adds what a page need not show: service.yaml with the versions that have a folder, and a resource. */
function completed(named: ReadonlyMap<string, string> | null): Texts | null {
  if (named === null || named.size === 0) return null;
  const paths = [...named.keys()].filter((path) => path.startsWith("resources/"));
  const versions = paths.flatMap((path) => /^resources\/(v\d+)\//.exec(path)?.[1] ?? []);
  const entries = [...new Set(["v1", ...versions])].sort().map((version) => `${version}: draft`);
  return {
    "service.yaml": `service: helpdesk\nversions: { ${entries.join(", ")} }\n`,
    ...(paths.length === 0 ? { "resources/v1/tickets.yaml": TICKETS } : {}),
    ...Object.fromEntries(named),
  };
}

const TICKETS = "resource: tickets\nentity: ticket\nproperties: { title: string }\n";
