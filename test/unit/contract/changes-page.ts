import { AUDIENCES, reasonsOf, sentenceOf } from "../../../src/contract/change.js";
import { CHANGE_KINDS, type ChangeKind } from "../../../src/contract/change-kinds.js";
import { fixtureChanges, fixtureText } from "../../support/change-fixtures.js";

const KINDS: Readonly<Record<string, ChangeKind>> = CHANGE_KINDS;

/** Lists the kinds of edit below each subject of docs/changes.md. */
export function changeSubjects(page: string): ReadonlyMap<string, readonly string[]> {
  const [, ...subjects] = page.split(/^## /m);
  return new Map(
    subjects.map((text) => {
      const kinds = [...text.matchAll(/^### (.+)$/gm)].map(([, kind = ""]) => kind);
      return [text.slice(0, text.indexOf("\n")), kinds];
    }),
  );
}

/** Makes the tables and the examples of docs/changes.md again; everything else is kept. */
export async function withExamples(page: string): Promise<string> {
  const subjects = changeSubjects(page);
  const [head, ...sections] = page.split(/^(?=###? )/m);
  const parts = [head];
  for (const section of sections) {
    const [, level, name = ""] = /^(#+) (.+)$/m.exec(section) ?? [];
    const kinds = subjects.get(name) ?? [];
    parts.push(level === "##" ? table(name, kinds) : await withExample(section, name));
  }
  return parts.join("");
}

function table(subject: string, kinds: readonly string[]): string {
  const rows = kinds.map((id) => `| [\`${id}\`](#${id}) | ${KINDS[id]?.title} | ${verdict(id)} |`);
  const head = [`## ${subject}`, "", "| kind | what | breaks |", "|---|---|---|"];
  return [...head, ...rows, "", ""].join("\n");
}

function verdict(id: string): string {
  const { readers, writers, isInternal, isOperational } = KINDS[id] ?? {};
  if (isInternal === true) return "internal";
  if (isOperational === true) return "operational";
  const broken = [
    ...(readers === undefined ? [] : [AUDIENCES.readers]),
    ...(writers === undefined ? [] : [AUDIENCES.writers]),
  ];
  return broken.length === 0 ? "nobody" : `**${broken.join(", ")}**`;
}

/** The edit of a fixture, and what `generator changes` says of it. */
async function withExample(section: string, id: string): Promise<string> {
  const changes = await fixtureChanges(id);
  const said = changes.map((change) => {
    const also = change.kind === id ? "" : ` (\`${change.kind}\`)`;
    const why = reasonsOf(change).map((reason) => ` ${reason}`);
    return `- *${change.class}*${also}: ${sentenceOf(change)}${why.join("")}`;
  });
  const written = section.replace(/^Example:\n[^]*$/m, "");
  return [`${written}Example:`, "```diff", ...difference(id), "```", ...said, "", ""].join("\n");
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
