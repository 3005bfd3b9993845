import { didYouMean } from "../diagnostics/advice.js";
import { join } from "node:path";
import { UsageError } from "../commands/usage-error.js";
import { MESSAGES } from "../diagnostics/messages.js";
import { nodeFiles } from "../files/node-files.js";
import { nearest } from "../naming/nearest.js";
import {
  enforcementKinds,
  PROMISES,
  RULES,
  ruleCountText,
  SUPPORT_WORDS,
  type Rule,
} from "../rules/rules.js";
import { checksOf } from "../validate/checks.js";
import { keywordPage, keywordPlaces, type KeywordPlace } from "./keywords.js";
import { packageRoot } from "./package-root.js";
import { terminalText } from "./terminal-text.js";
import type { Terminal } from "./terminal.js";
import { sectionOf, TOPICS, topicPage } from "./topics.js";

/** Prints the rules of the contract, a line for each: `generator rules`. */
export function listRules(json: boolean, terminal: Terminal): void {
  if (json) return terminal.out(jsonText({ rules: RULES, promises: PROMISES }));
  const { bold, dim } = terminal.colors;
  for (const rule of RULES) {
    const support = SUPPORT_WORDS[rule.support].padEnd(17);
    const shown = rule.support === "full" ? support : dim(support);
    const kinds = enforcementKinds(rule).padEnd(31);
    terminal.out(`${bold(rule.id.padEnd(6))}  ${shown}  ${kinds}  ${rule.title}\n`);
  }
  terminal.out(`\n${ruleCountText()}. More about one: generator explain ${RULES[0]?.id}\n`);
}

/** Prints what a rule asks, or what a diagnostic or a keyword means: `generator explain`; throws where nothing has that name. */
export function explainId(given: string, json: boolean, terminal: Terminal): void {
  if (TOPICS.includes(given)) return explainTopic(given, json, terminal);
  const id = codeOf(given);
  const rule = RULES.find((candidate) => candidate.id === id) ?? null;
  const page = Object.hasOwn(MESSAGES, id) ? diagnosticPage(id) : null;
  if (rule === null && page === null) return explainKeyword(given, json, terminal);
  if (json) {
    const diagnostic = page === null ? null : { code: id, page, checks: checksOf(id) };
    return terminal.out(jsonText({ rule, diagnostic }));
  }
  const pages = [
    ...(rule === null ? [] : [rulePage(rule)]),
    // A rule and the diagnostic of its violation have the same id.
    ...(page === null ? [] : [rule === null ? page : page.replace(/^# /, "# The diagnostic ")]),
    ...(checksOf(id).length === 0 ? [] : [checksText(id)]),
  ];
  terminal.out(pages.map((text) => terminalText(text, terminal.colors)).join("\n"));
}

/** Which check of the schemas reports a diagnostic, and what else it reports. */
function checksText(code: string): string {
  const checks = checksOf(code).map(({ name, codes }) => {
    const others = codes.filter((one) => one !== code);
    return `- ${name}${others.length === 0 ? "" : `, with ${others.join(", ")}`}\n`;
  });
  return `Reported by the check of:\n${checks.join("")}`;
}

function explainTopic(topic: string, json: boolean, terminal: Terminal): void {
  const page = topicPage(topic);
  terminal.out(json ? jsonText({ topic, page }) : terminalText(page, terminal.colors));
}

/** `nam-4` and `NAM4` are `NAM-4`. */
function codeOf(given: string): string {
  return given.toUpperCase().replace(/^([A-Z]{3})(\d+)$/, "$1-$2");
}

function explainKeyword(given: string, json: boolean, terminal: Terminal): void {
  const places = keywordPlaces();
  const found = places.filter(({ keyword }) => keyword === given);
  if (found.length === 0) throw unknown(given, places);
  if (json) return terminal.out(jsonText({ keyword: given, places: found }));
  terminal.out(terminalText(keywordPage(found), terminal.colors));
}

/** The section of a rule in docs/contract.md as a page, in which a code is not a link. */
function rulePage({ id, title }: Rule): string {
  const page = nodeFiles.readText(join(packageRoot(), "docs/contract.md"));
  const section = sectionOf(page, `${id}: ${title}`).trim().replace(/^#+/, "#");
  return `${section.replace(/\[([^\]]+)\]\(diagnostics\/\1\.md\)/g, "$1")}\n`;
}

function diagnosticPage(code: string): string {
  return nodeFiles.readText(join(packageRoot(), "docs/diagnostics", `${code}.md`));
}

/** `AUTH_KEYS` */
const VARIABLE = /^[A-Z]+(_[A-Z]+)+$|^PORT$|^HOST$/;

function unknown(given: string, places: readonly KeywordPlace[]): UsageError {
  const keywords = places.map(({ keyword }) => keyword);
  const known = [...RULES.map(({ id }) => id), ...Object.keys(MESSAGES), ...TOPICS, ...keywords];
  const near = VARIABLE.test(given) ? null : nearest(given, known);
  const advice = near === null ? adviceFor(given) : didYouMean(near);
  return new UsageError(`There is no rule, diagnostic or keyword "${given}". ${advice}`);
}

function adviceFor(given: string): string {
  return VARIABLE.test(given)
    ? "Environment variables are described in .env.example of the service."
    : `Rules are listed by "generator rules", keywords in docs/schemas.md of the package. Topics are ${TOPICS.join(", ")}.`;
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
