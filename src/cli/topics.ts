import { join } from "node:path";
import { pages } from "#compiled/pages";
import { InternalError } from "../diagnostics/internal-error.js";
import { nodeFiles } from "../files/node-files.js";
import { packageRoot } from "./package-root.js";

/** What is said of a topic in one document: all of it, the section under a heading, or what names the topic. */
type Passage =
  | { readonly kind: "page"; readonly page: string }
  | { readonly kind: "section"; readonly page: string; readonly heading: string }
  | { readonly kind: "mentions"; readonly page: string; readonly word?: string };

const HOOKS = { kind: "mentions", page: "docs/hooks.md" } as const;
const APP = { kind: "mentions", page: "docs/app.md" } as const;
/** Of the runtime: everything else is in the package of the generator. */
const CUSTOM_CODE = "docs/custom-code.md";

const SCROLLING = "A list that scrolls for ever";

/** What is explained beside rules, diagnostics and keywords. */
const PASSAGES: Readonly<Record<string, readonly Passage[]>> = {
  hooks: [{ kind: "page", page: "docs/hooks.md" }],
  app: [{ kind: "page", page: "docs/app.md" }],
  complete: [HOOKS, section("5. What another service keeps")],
  computed: [section("Properties that the service computes")],
  mail: [section("4. A mail after the commit")],
  tests: [section("9. Tests")],
  job: [section("10. A job")],
  search: [{ kind: "section", page: "docs/modelling.md", heading: "Search as one types" }],
  sql: [section("SQL"), { kind: "section", page: "docs/modelling.md", heading: "Reports" }],
  ...each({ kind: "section", page: "docs/modelling.md", heading: SCROLLING }, ["after", "next"]),
  callers: [{ kind: "section", page: "docs/verify.md", heading: "Callers" }],
  verify: [{ kind: "page", page: "docs/verify.md" }],
  migrations: [{ kind: "page", page: "docs/migrations.md" }],
  samples: [
    { kind: "section", page: "docs/verify.md", heading: "Samples" },
    section("Samples of the contract tests"),
  ],
  // `access: { read: [custom] }` asks for the function `scope`.
  custom: [{ ...HOOKS, word: "scope" }],
  ...each(HOOKS, ["scope", "authorize", "validate", "beforeCreate", "beforeUpdate"]),
  ...each(HOOKS, ["beforeDelete", "beforeCommit", "afterCommit", "services", "list", "lock"]),
  ...each(APP, ["environment", "provide", "plugins", "routes", "checks", "onStart", "onStop"]),
};

function section(heading: string): Passage {
  return { kind: "section", page: CUSTOM_CODE, heading };
}

function each(passage: Passage, topics: readonly string[]): Record<string, readonly Passage[]> {
  return Object.fromEntries(topics.map((topic) => [topic, [passage]]));
}

/** The names of all topics. */
export const TOPICS = Object.keys(PASSAGES);

/** What the documents say of a topic, as Markdown, and where there is more. */
export function topicPage(topic: string): string {
  const passages = PASSAGES[topic] ?? [];
  const texts = passages.map((passage) => textOf(passage, topic).trim());
  const more = passages.filter(({ kind }) => kind !== "page").map(whereMore);
  return `${[...texts, ...(more.length > 0 ? [`More: ${more.join("; ")}`] : [])].join("\n\n")}\n`;
}

function whereMore({ kind, page }: Passage): string {
  if (kind === "mentions") return `generator explain ${page === HOOKS.page ? "hooks" : "app"}`;
  return `${page} of @rulebound/${page === CUSTOM_CODE ? "runtime" : "generator"}`;
}

function textOf(passage: Passage, topic: string): string {
  const text = documentText(passage.page);
  if (passage.kind === "page") return text;
  return passage.kind === "section"
    ? sectionOf(text, passage.heading)
    : mentionsOf(text, topic, passage.word);
}

function documentText(page: string): string {
  if (page !== CUSTOM_CODE) return nodeFiles.readText(join(packageRoot(), page));
  return pages["custom-code.md"] ?? "";
}

/** Returns the text from a heading to the next one that is not below it; a `#` in an example begins a comment. */
export function sectionOf(text: string, heading: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.replace(/^#+ /, "") === heading);
  if (start < 0) throw new InternalError(`no heading "${heading}"`);
  const depth = depthOf(lines[start]);
  let isCode = false;
  const length = lines.slice(start + 1).findIndex((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    return !isCode && depthOf(line) > 0 && depthOf(line) <= depth;
  });
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n");
}

function depthOf(line: string | undefined): number {
  return /^(#+) /.exec(line ?? "")?.[1]?.length ?? 0;
}

/** The paragraphs of a page that name the topic as code, and the rows of its tables that begin with it. */
function mentionsOf(text: string, topic: string, word = topic): string {
  const [title = "", ...blocks] = text.trim().split("\n\n");
  const named = new RegExp(`\\b${word}\\b`);
  const isNamed = (code: string): boolean => named.test(code);
  let isWanted = false;
  const kept = blocks.flatMap((block) => {
    // What a paragraph introduces belongs to it.
    const isIntroduced = isWanted;
    isWanted = false;
    if (block.startsWith("|")) return isIntroduced ? [block] : rowsOf(block, isNamed);
    const isKept = (block.match(/`[^`]+`/g) ?? []).some(isNamed);
    isWanted = isKept && block.endsWith(":");
    return isKept ? [block] : [];
  });
  return [`# ${topic}, of ${title.replace(/^# /, "")}`, ...kept].join("\n\n");
}

/** A table of the rows alone whose first cell is wanted. */
function rowsOf(table: string, isWanted: (cell: string) => boolean): string[] {
  const [heads = "", line = "", ...rows] = table.split("\n");
  const kept = rows.filter((row) => isWanted(/^\|([^|]*)\|/.exec(row)?.[1] ?? ""));
  return kept.length === 0 ? [] : [[heads, line, ...kept].join("\n")];
}
