import { enforcementKinds, ruleCountText, RULES, SUPPORT_WORDS } from "../../src/rules/rules.js";

/** Makes the overview of docs/contract.md again; everything else is kept. */
export function withOverview(page: string): string {
  return page.replace(/^\d+ of \d+ rules [^]*?(?=^## )/m, () => `${overview()}\n`);
}

function overview(): string {
  const rows = RULES.map((rule) => {
    const { id, title, support } = rule;
    return `| ${id} | ${title} | ${enforcementKinds(rule)} | ${SUPPORT_WORDS[support]} |`;
  });
  const head = ["| rule | in a line | enforced by | supported |", "|---|---|---|---|"];
  return `${ruleCountText()}.\n\n${[...head, ...rows].join("\n")}\n`;
}
