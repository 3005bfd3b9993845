import type { Code } from "../diagnostics/messages.js";
import type { Rule, Support } from "./rule.js";
import { FAMILIES, PROMISES, RULES, ruleCountText } from "./rules.js";

/** The words for how much of a rule is supported. */
export const SUPPORT_WORDS: Readonly<Record<Support, string>> = {
  full: "supported",
  partly: "in part",
};

/** Prints the code of a diagnostic: as a link in a document, as it is in a terminal. */
type CodeText = (code: Code) => string;

/** One rule as Markdown; `level` is that of its heading. */
export function rulePage(rule: Rule, level: number, codeText: CodeText): string {
  const { id, title, asks, why, example } = rule;
  const blocks = [
    `${"#".repeat(level)} ${id}: ${title}`,
    ...supportNote(rule),
    asks,
    `**Why.** ${why}`,
    `Wrong:\n${fenced(example.language, example.wrong)}`,
    `Right:\n${fenced(example.language, example.right)}`,
    ...enforcementList(rule, codeText),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The text of docs/contract.md: every rule, and what a service promises besides. */
export function contractPage(): string {
  const families = FAMILIES.map(({ prefix, title, section, rules }) => {
    const pages = rules.map((rule) => rulePage(rule, 3, linked));
    return `## ${prefix}: ${title} (contract ${section})\n\n${pages.join("\n")}`;
  });
  return [INTRODUCTION, overview(), ...families, promises()].join("\n");
}

/** What enforces a rule, in words: `schema`, `code`, `OpenAPI`, `test`, `verify`. */
export function enforcementKinds({ enforcedBy, verified }: Rule): string {
  const { codes, emitted, openapi, tests } = enforcedBy;
  const kinds = { schema: codes, code: emitted, OpenAPI: openapi, test: tests };
  const there = Object.entries(kinds).filter(([, places]) => places.length > 0);
  return [...there.map(([kind]) => kind), ...(verified ? ["verify"] : [])].join(" ");
}

const INTRODUCTION = `# The contract, rule by rule

<!-- Made from src/rules by \`npm run accept\`: edit there. -->

Every generated service follows these rules. \`generator explain <rule>\` prints one of them, \`generator rules\` lists them.
\`<resources>\` stands for each resource of a service.
`;

function overview(): string {
  const rows = RULES.map((rule) => {
    const { id, title, support } = rule;
    return `| ${id} | ${title} | ${enforcementKinds(rule)} | ${SUPPORT_WORDS[support]} |`;
  });
  const head = ["| rule | in a line | enforced by | supported |", "|---|---|---|---|"];
  return `${ruleCountText()}.\n\n${[...head, ...rows].join("\n")}\n`;
}

function promises(): string {
  const rows = PROMISES.map(({ promise, tests }) => `- ${promise} Test: ${quoted(tests)}.`);
  return `## Besides the rules\n\n${rows.join("\n")}\n`;
}

function supportNote({ support, lacks }: Rule): readonly string[] {
  return support === "full" ? [] : [`**Supported in part.** Not yet: ${lacks}.`];
}

function enforcementList(
  { id, enforcedBy, verified }: Rule,
  codeText: CodeText,
): readonly string[] {
  const { codes, checks, emitted, openapi, tests } = enforcedBy;
  const lines = [
    ...line("Refused with", codes.map(codeText).join(", ")),
    ...line("Found by", quoted(checks)),
    ...line("Generated code", quoted(emitted)),
    ...line("OpenAPI document", quoted(openapi)),
    ...line("Test in the generator's repository", quoted(tests)),
    ...line("On a running service", verified ? `\`generator verify <url> --rule ${id}\`` : ""),
  ];
  return [`Enforced by:\n${lines.join("\n")}`];
}

function line(name: string, text: string): readonly string[] {
  return text === "" ? [] : [`- ${name}: ${text}`];
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(", ");
}

function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function linked(code: Code): string {
  return `[${code}](diagnostics/${code}.md)`;
}
