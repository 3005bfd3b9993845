import { readdirSync, readFileSync } from "node:fs";
import { readModel } from "../../src/commands/read-model.js";
import type { ContractChange } from "../../src/contract/change.js";
import { compareContracts, earlierOf } from "../../src/contract/compare-contracts.js";
import { compareDetails, type Detailed } from "../../src/contract/compare-details.js";
import { contractOfVersion } from "../../src/contract/contract-of.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { expectSuccess } from "./expect-success.js";
import type { Texts } from "./render-files.js";
import { parseTxtar } from "./txtar.js";

const FIXTURES = "fixtures/changes";

/** The files of a project that all fixtures share, by path. */
const SHARED = sectionsOf("shared.txtar");

/** The sections of every other file, by its subject: a file for each heading of docs/changes.md. */
const SUBJECTS = readdirSync(FIXTURES)
  .filter((file) => file !== "shared.txtar")
  .map((file) => [file.replace(".txtar", ""), sectionsOf(file)] as const);

const SECTIONS = new Map(SUBJECTS.flatMap(([, sections]) => Object.entries(sections)));

/** The kinds of edit that have a fixture, by the subject of the file, in their order there. */
export const CHANGE_SUBJECT_FIXTURES: Readonly<Record<string, readonly string[]>> =
  Object.fromEntries(SUBJECTS.map(([subject, sections]) => [subject, kindsOf(sections)]));

/** Every kind of edit that has a fixture, ascending. */
export const CHANGE_FIXTURES: readonly string[] = Object.values(CHANGE_SUBJECT_FIXTURES)
  .flat()
  .sort();

function sectionsOf(file: string): Texts {
  return parseTxtar(readFileSync(`${FIXTURES}/${file}`, "utf8")).files;
}

function kindsOf(sections: Texts): readonly string[] {
  return [...new Set(Object.keys(sections).map((path) => path.replace(/\/.*/, "")))];
}

/** A file of a fixture, such as its resource before the edit; null where it has no such file. */
export function fixtureText(kind: string, name: string): string | null {
  return SECTIONS.get(`${kind}/${name}`) ?? null;
}

/** The project of a fixture, as texts by path: its own files, and those that all fixtures share. */
export function fixtureProject(kind: string, side: "before" | "after"): Record<string, string> {
  const service = fixtureText(kind, `${side}.service.yaml`);
  const others = [...SECTIONS].filter(([path]) => path.startsWith(`${kind}/with/`));
  const next = fixtureText(kind, `${side}.${NEXT}`);
  const own = fixtureText(kind, next === null ? `${side}.yaml` : "before.yaml");
  const project = {
    ...SHARED,
    ...(service !== null && { "service.yaml": service }),
    ...Object.fromEntries(
      others.map(([path, text]) => [path.replace(`${kind}/with`, "resources/v1"), text]),
    ),
    ...(own !== null && { [`resources/v1/${resourceOf(own)}.yaml`]: own }),
  };
  return next === null ? project : withNextVersion(project, next);
}

/** How the file of a fixture ends that shows what the next version says of this one. */
const NEXT = "v2.yaml";

/** A project with a second version, in which one resource is another and the others are the same. */
function withNextVersion(
  project: Readonly<Record<string, string>>,
  text: string,
): Record<string, string> {
  const plurals = Object.keys(project).flatMap((path) => {
    const [, plural] = /^resources\/v1\/(\w+)\.yaml$/.exec(path) ?? [];
    return plural === undefined ? [] : [plural];
  });
  const same = plurals.map((plural) => [
    `resources/v2/${plural}.yaml`,
    `resource: ${plural}\nsameAs: v1\n`,
  ]);
  return {
    ...project,
    "service.yaml": "service: helpdesk\nversions: { v1: draft, v2: draft }\n",
    ...(Object.fromEntries(same) as Record<string, string>),
    [`resources/v2/${resourceOf(text)}.yaml`]: text,
  };
}

function resourceOf(text: string): string {
  return /^resource: (\w+)$/m.exec(text)?.[1] ?? "";
}

/** The newest version of a project that is given as texts by path. Throws where it has a mistake. */
export async function versionOf(files: Readonly<Record<string, string>>): Promise<Detailed> {
  const placed = Object.entries(files).map(([path, text]) => [`/project/${path}`, text]);
  const read = await readModel(new MemoryFiles(Object.fromEntries(placed)), "/project");
  const { model: service } = expectSuccess(read);
  const version = service.versions.at(-1);
  if (version === undefined) throw new Error("the project has no version");
  return { service, version };
}

/** Every change between a version of one project and that of another, or between two versions of one. */
export function changesBetween(before: Detailed, after: Detailed): ContractChange[] {
  return [
    ...compareContracts(
      contractOfVersion(before.service, before.version),
      contractOfVersion(after.service, after.version),
      earlierOf(after.version, before.version.name !== after.version.name),
    ),
    ...compareDetails(before, after),
  ];
}

const meanings = new Map<string, Promise<ContractChange[]>>();

/** What a fixture's edit means. */
export function fixtureChanges(kind: string): Promise<ContractChange[]> {
  const known = meanings.get(kind) ?? meaningOf(kind);
  meanings.set(kind, known);
  return known;
}

async function meaningOf(kind: string): Promise<ContractChange[]> {
  const before = await versionOf(fixtureProject(kind, "before"));
  const after = await versionOf(fixtureProject(kind, "after"));
  return changesBetween(before, after);
}
