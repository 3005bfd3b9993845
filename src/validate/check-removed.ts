import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import type { Versions } from "./check-lineage.js";
import { isRetired } from "./check-status.js";
import { pastVersions, stemOf, versionOf, type Project } from "./check-versions.js";
import { byNumber } from "./lineage.js";
import { isMapping, mapping, own } from "./plain.js";

/** A version that has files. */
interface Folder {
  readonly name: string;
  /** What service.yaml says of it; undefined: nothing. */
  readonly declared: unknown;
  /** Resources that service.yaml says are removed in it. */
  readonly removed: readonly string[];
  /** What its files are called, by the names of resources; those with mistakes are among them. */
  readonly files: ReadonlyMap<string, string>;
}

/** SCH-275, SCH-276: a version has each resource of the one before it, or service.yaml says that it is removed (VER-2). */
export function checkRemovedResources(project: Project): void {
  const folders = foldersOf(project);
  const served = folders.filter(({ declared }) => !isRetired(declared));
  const lineages = byName(project);
  for (const [index, newer] of served.entries()) {
    const older = served[index - 1];
    // What a file that cannot be read says of former names is not known.
    if (older === undefined || project.unread.has(newer.name)) continue;
    const told = folders.filter(({ name }) => isBetween(name, older.name, newer.name));
    const removed = told.flatMap((one) => one.removed);
    const missing = storedIn(older.name, project).filter(
      (plural) => !removed.includes(plural) && fileIn(newer, older, plural, lineages) === null,
    );
    if (missing.length > 0) tellMissing(missing, older, newer, { folders, project });
  }
  for (const folder of folders) checkNames(folder, { folders, lineages, project });
}

/** Ascending by number. */
function foldersOf({ paths, service }: Project): readonly Folder[] {
  const all = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const name = versionOf(path);
    all.set(name, (all.get(name) ?? new Map<string, string>()).set(stemOf(path), path));
  }
  return [...all]
    .map(([name, files]): Folder => {
      const declared = own(service.value["versions"], name);
      return { name, declared, files, removed: Object.keys(mapping(own(declared, "removed"))) };
    })
    .sort((a, b) => byNumber(a.name, b.name));
}

/** A resource through its versions, by what each of them calls it: `v1/orders`. */
type ByName = ReadonlyMap<string, Versions>;

function byName({ versions }: Project): ByName {
  return new Map(
    [...versions.values()].flatMap((all) =>
      all.versions.map(({ lineage: { version, value } }): [string, Versions] => [
        `${version}/${value.resource}`,
        all,
      ]),
    ),
  );
}

function isBetween(name: string, older: string, newer: string): boolean {
  return byNumber(older, name) < 0 && byNumber(name, newer) <= 0;
}

/** The resources that a version stores something of; a representation stores nothing. */
function storedIn(version: string, { versions }: Project): readonly string[] {
  return [...versions.values()]
    .flatMap((all) => all.versions)
    .filter(({ lineage }) => lineage.version === version)
    .map(({ lineage }) => lineage.value.resource)
    .filter((plural) => typeof plural === "string")
    .sort();
}

/** The file that a resource of an older version has in a newer one, whatever that one calls it; null: none. */
function fileIn(newer: Folder, older: Folder, plural: string, lineages: ByName): string | null {
  const same = newer.files.get(plural);
  if (same !== undefined) return same;
  const all = lineages.get(`${older.name}/${plural}`)?.versions ?? [];
  const there = all.find(({ lineage }) => lineage.version === newer.name);
  return there?.findings.document.path ?? null;
}

/** Everything that is known of the versions. */
interface Around {
  readonly folders: readonly Folder[];
  readonly project: Project;
}

/** What is missing in a draft is a mistake; clients of a published version have never seen it there. */
function tellMissing(
  names: readonly string[],
  older: Folder,
  newer: Folder,
  { folders, project: { service } }: Around,
): void {
  const isDraft = statusOf(newer) === "draft";
  const many = names.length > 1;
  const [first = ""] = names;
  const word = isMapping(service.value["versions"])
    ? wordOf(names, newer)
    : `\`versions: { ${[...folders.filter((one) => one !== newer).map(({ name }) => `${name}: draft`), wholeWord(names, newer)].join(", ")} }\` in service.yaml`;
  const ways = [
    `To take ${many ? "them" : "it"} over: \`${["generator version", newer.name, ...names].join(" ")}\`.`,
    `Otherwise write ${word}, or \`renamedFrom: ${first}\` in the file of what "${first}" has become.`,
  ];
  service.findings.add(
    "SCH-275",
    { path: ["versions", newer.name], part: "key" },
    { older: older.name, newer: newer.name, names },
    { severity: isDraft ? "error" : "warning", suggestion: ways.join(" ") },
  );
}

/** VER-4: a version of which service.yaml says nothing is a draft. */
function statusOf({ declared }: Folder): string {
  return String((isMapping(declared) ? own(declared, "status") : declared) ?? "draft");
}

/** What service.yaml has to say besides. */
function wordOf(names: readonly string[], folder: Folder): string {
  const { name, declared, removed } = folder;
  if (!isMapping(declared)) return `\`${wholeWord(names, folder)}\` below \`versions\``;
  return removed.length === 0
    ? `\`removed: { ${reasons(names)} }\` next to the status of ${name}`
    : `\`${reasons(names)}\` in \`removed\` of ${name}`;
}

function wholeWord(names: readonly string[], folder: Folder): string {
  return `${folder.name}: { status: ${statusOf(folder)}, removed: { ${reasons(names)} } }`;
}

function reasons(names: readonly string[]): string {
  return names.map((name) => `${name}: why`).join(", ");
}

/** SCH-276: what is removed in a version is not there, and was in an older one. */
function checkNames(
  folder: Folder,
  { folders, lineages, project }: Around & { readonly lineages: ByName },
): void {
  const { name: version, removed } = folder;
  const { resources, service } = project;
  const isPast = pastVersions(resources, mapping(service.value["versions"]));
  const older = folders.filter(({ name }) => byNumber(name, version) < 0);
  const known = [...new Set(older.flatMap(({ files }) => [...files.keys()]))];
  for (const name of removed) {
    const at = { path: ["versions", version, "removed", name], part: "key" } as const;
    const [file] = [...older, folder].flatMap((one) => fileIn(folder, one, name, lineages) ?? []);
    if (file !== undefined) {
      const suggestion = `${ADVICE.remove} Or remove ${file}.`;
      service.findings.add("SCH-276", at, { version, name, isThere: true }, { suggestion });
    } else if (!known.includes(name) && !isPast(version)) {
      const suggestion = didYouMean(nearest(name, known)) ?? ADVICE.remove;
      service.findings.add("SCH-276", at, { version, name, isThere: false }, { suggestion });
    }
  }
}
