import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readModel } from "../../src/commands/read-model.js";
import type { ContractChange } from "../../src/contract/change.js";
import { compareContracts, earlierOf } from "../../src/contract/compare-contracts.js";
import { compareDetails, type Detailed } from "../../src/contract/compare-details.js";
import { contractOfVersion } from "../../src/contract/contract-of.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { expectSuccess } from "./expect-success.js";

const FIXTURES = "fixtures/changes";

/** Every kind of edit that has a fixture, ascending. */
export const CHANGE_FIXTURES: readonly string[] = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "shared")
  .map(({ name }) => name)
  .sort();

/** The resource file of a fixture before or after its edit; null: there is none. */
export function fixtureText(kind: string, name: string): string | null {
  const path = join(FIXTURES, kind, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** The project of a fixture, as texts by path: its own files, and those that all fixtures share. */
export function fixtureProject(kind: string, side: "before" | "after"): Record<string, string> {
  const shared = (name: string): string => readFileSync(join(FIXTURES, "shared", name), "utf8");
  const beside = join(FIXTURES, kind, "with");
  const others = existsSync(beside) ? readdirSync(beside) : [];
  const next = fixtureText(kind, `${side}.${NEXT}`);
  const own = fixtureText(kind, next === null ? `${side}.yaml` : "before.yaml");
  const project = {
    "service.yaml": fixtureText(kind, `${side}.service.yaml`) ?? shared("service.yaml"),
    "resources/v1/teams.yaml": shared("teams.yaml"),
    "resources/v1/users.yaml": shared("users.yaml"),
    ...Object.fromEntries(
      others.map((name) => [`resources/v1/${name}`, readFileSync(join(beside, name), "utf8")]),
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
