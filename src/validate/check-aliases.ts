import { sortProblems, whereProblems, type WhereProblem } from "./check-where.js";
import type { Findings } from "./findings.js";
import { mapping, own, type Mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** ALI-1: an alias names properties that there are, compares them with their own values, and can be listed. */
export function checkAliases(
  value: Mapping,
  properties: readonly PropertyPlace[],
  findings: Findings,
  scope: Scope,
): void {
  const aliases = mapping(value["aliases"]);
  const operations = value["operations"];
  for (const [name, alias] of Object.entries(aliases)) {
    const path = ["aliases", name];
    if (Array.isArray(operations) && !operations.includes("list")) {
      const problem = 'the resource does not offer "list"';
      findings.add("ALI-1", { path, part: "key" }, { name, problem });
    }
    const tell = (key: string, problems: readonly WhereProblem[]): void => {
      for (const { path: inner, part, problem, suggestion } of problems) {
        const at = { path: [...path, key, ...inner], part };
        findings.add("ALI-1", at, { name, problem }, { suggestion });
      }
    };
    tell("where", whereProblems(own(alias, "where"), properties, scope));
    tell("sort", sortProblems(own(alias, "sort"), properties, scope));
  }
}
