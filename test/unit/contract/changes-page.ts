import {
  adviceOf,
  AUDIENCES,
  movingOf,
  reasonsOf,
  sentenceOf,
} from "../../../src/contract/change.js";
import type { ChangeKind } from "../../../src/contract/change-kind.js";
import { CHANGE_SUBJECTS } from "../../../src/contract/change-kinds.js";
import { fixtureChanges, fixtureText } from "../../support/change-fixtures.js";

const HEAD = `# What an edit means

Every kind of edit that \`generator changes\` tells apart, as it judges the schemas in \`fixtures/changes\`; this page is made from them by
\`npm run accept\`. An edit of a published version that breaks somebody is refused (VER-3); one that does not is accepted, and becomes
a part of what is promised.

- **Those who read** take answers apart: they rely on what is there, on its type, on null where it may be, on closed lists, on filters, sorts,
  pages and aliases. A bound is nothing to them: a longer text or a larger number is compatible.
- **Those who write** send bodies: they rely on what is accepted being accepted, and on what is left out becoming what it became before.
- A setting of operation, a rate or a time-out, is not part of what a version promises (LIM-1): an edit of it is **operational**, and accepted.
- What no client can tell is **internal**.
- Nobody was promised anything of a draft: what would break clients is what they **have to adapt to** when they move to it.

Whoever cannot notice an edit is not broken by it: a tighter bound of a property that only the service writes is compatible.
`;

/** docs/changes.md: a table of all kinds, then each with its edit and what is said of it. */
export async function changesPage(): Promise<string> {
  const parts: string[] = [HEAD];
  for (const [subject, kinds] of CHANGE_SUBJECTS) {
    const rows = Object.entries(kinds).map(
      ([id, kind]) => `| [\`${id}\`](#${id}) | ${kind.title} | ${verdict(kind)} |`,
    );
    parts.push(
      [`## ${subject}`, "", "| kind | what | breaks |", "|---|---|---|", ...rows, ""].join("\n"),
    );
  }
  for (const [, kinds] of CHANGE_SUBJECTS) {
    for (const id of Object.keys(kinds)) parts.push(await entry(id));
  }
  return parts.join("\n");
}

function verdict({ readers, writers, isInternal, isOperational }: ChangeKind): string {
  if (isInternal === true) return "internal";
  if (isOperational === true) return "operational";
  const broken = [
    ...(readers === undefined ? [] : [AUDIENCES.readers]),
    ...(writers === undefined ? [] : [AUDIENCES.writers]),
  ];
  return broken.length === 0 ? "nobody" : `**${broken.join(", ")}**`;
}

async function entry(id: string): Promise<string> {
  const changes = await fixtureChanges(id);
  const said = changes.map((change) => {
    const also = change.kind === id ? "" : ` (\`${change.kind}\`)`;
    const why = reasonsOf(change).map((reason) => ` For ${reason}`);
    return `- *${change.class}*${also}: ${sentenceOf(change)}${why.join("")}`;
  });
  const own = changes.find((change) => change.kind === id);
  return [
    `### ${id}`,
    "```diff",
    ...difference(id),
    "```",
    ...said,
    "",
    `What to do: ${own === undefined ? "" : adviceOf(own)}`,
    ...(own === undefined || movingOf(own) === ""
      ? []
      : ["", `Clients that move: ${movingOf(own)}`]),
    "",
  ].join("\n");
}

/** The lines that go and come; of a file that is new or gone all of them. */
function difference(id: string): readonly string[] {
  return ["service.yaml", "yaml"].flatMap((end) => {
    const name = (side: string): string =>
      end === "yaml" ? `${side}.yaml` : `${side}.service.yaml`;
    const before = linesOf(fixtureText(id, name("before")));
    const next = end === "yaml" ? fixtureText(id, "after.v2.yaml") : null;
    const after = linesOf(next ?? fixtureText(id, name("after")));
    return [
      ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
      ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ];
  });
}

function linesOf(text: string | null): readonly string[] {
  return (text ?? "").split("\n").filter((line) => line !== "");
}
