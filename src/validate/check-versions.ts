import { checkedVersion, type CheckedVersion, type Versions } from "./check-lineage.js";
import { isRetired } from "./check-status.js";
import { parentOf } from "./check-disclosure.js";
import type { Findings } from "./findings.js";
import { byNumber, lineageOf } from "./lineage.js";
import { mapping, type Mapping } from "./plain.js";
import type { CheckedResource } from "./read-resource.js";
import { isRepresentation } from "./represented.js";
import { storedPlurals, type NamedResource } from "./stored-plurals.js";

/** The folder that a resource file stands in: `v1`. */
export function versionOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** What a file of a resource calls it: `orders` for `resources/v1/orders.yaml`. */
export function stemOf(path: string): string {
  return path.replace(/^.*\/|\.yaml$/g, "");
}

/** All files of a project. */
export interface Project {
  readonly service: { readonly value: Mapping; readonly findings: Findings };
  readonly resources: readonly CheckedResource[];
  /** Every file of a resource, also one that could not be read, or that is left out of the resources. */
  readonly paths: readonly string[];
  /** Versions with a file that could not be read. */
  readonly unread: ReadonlySet<string>;
  /** Resources through their versions, by the name that is stored. */
  readonly versions: ReadonlyMap<string, Versions>;
}

/** The resources of a project through their versions (VER-2), by the name that is stored. */
export function versionsOf(
  resources: readonly CheckedResource[],
  declared: Mapping,
): ReadonlyMap<string, Versions> {
  const isPast = pastVersions(resources, declared);
  const stored = resources.filter(({ findings }) => !isRepresentation(findings.document));
  const all = new Map<string, CheckedVersion[]>();
  const sorted = [...stored].sort((a, b) => byNumber(versionAt(a), versionAt(b)));
  const storedPlural = storedPlurals(sorted.map(namedResource));
  for (const resource of sorted) {
    const plural = storedPlural(versionAt(resource), String(resource.value["resource"]));
    const parent = parentPropertyOf(resource, stored);
    const version = checkedVersion(resource, versionAt(resource), parent, storedPlural);
    all.set(plural, [...(all.get(plural) ?? []), version]);
  }
  return new Map(
    [...all].map(([plural, versions]) => {
      const lineage = lineageOf(versions.map((one) => one.lineage));
      const isContinued = isPast(versions[0]?.lineage.version ?? "");
      return [plural, { versions, lineage, declared, isContinued }];
    }),
  );
}

/** SCH-191: where service.yaml declares versions, each folder with resources is one of them. */
export function checkFolders({ service, resources }: Project): void {
  const declared = Object.keys(mapping(service.value["versions"]));
  if (declared.length === 0) return;
  const folders = [...new Set(resources.map(versionAt))];
  const empty = declared.filter((name) => !folders.includes(name));
  for (const name of folders.filter((folder) => !declared.includes(folder))) {
    const [other] = empty;
    const suggestion =
      other === undefined
        ? `Add \`${name}: draft\` to \`versions\`.`
        : `Write \`${name}\` instead of \`${other}\`, or rename the folder to resources/${other}.`;
    const at =
      other === undefined
        ? ({ path: ["versions"], part: "key" } as const)
        : ({ path: ["versions", other], part: "key" } as const);
    service.findings.add("SCH-191", at, { folder: `resources/${name}`, name }, { suggestion });
  }
}

function namedResource(resource: CheckedResource): NamedResource {
  const { resource: plural, renamedFrom } = resource.value;
  return {
    version: versionAt(resource),
    plural: String(plural),
    renamedFrom: typeof renamedFrom === "string" ? renamedFrom : null,
  };
}

/** SCH-272, SCH-273: what a resource was called is the name of no other one of its version, and was that of one alone. */
export function checkFormerNames({ resources: all }: Project): void {
  const resources = all.filter(({ findings }) => !isRepresentation(findings.document));
  for (const resource of resources) {
    const { version, plural, renamedFrom } = namedResource(resource);
    if (renamedFrom === null || resource.value["sameAs"] !== undefined) continue;
    const others = resources.map(namedResource).filter((one) => one.version === version);
    const at = { path: ["renamedFrom"] };
    if (others.some((one) => one.plural === renamedFrom)) {
      const suggestion =
        "Remove the file of the old name; or, where both are there, take `renamedFrom` away.";
      resource.findings.add("SCH-272", at, { former: renamedFrom }, { suggestion });
    }
    const rival = others.find((one) => one.plural !== plural && one.renamedFrom === renamedFrom);
    if (rival !== undefined) {
      const given = { former: renamedFrom, other: rival.plural };
      resource.findings.add("SCH-273", at, given);
    }
  }
}

/** Whether a version came after a retired one whose files are gone: what it says of that one cannot be looked at. */
export function pastVersions(
  resources: readonly CheckedResource[],
  declared: Mapping,
): (version: string) => boolean {
  const known = new Set(resources.map(versionAt));
  const gone = Object.entries(declared).flatMap(([name, version]) =>
    isRetired(version) && !known.has(name) ? [name] : [],
  );
  return (version) => gone.some((name) => byNumber(name, version) < 0);
}

/** What a resource calls the reference to its parent (CHD-2). */
function parentPropertyOf(
  { value, findings }: CheckedResource,
  resources: readonly CheckedResource[],
): string | null {
  if (value["parent"] === undefined) return null;
  const version = versionOf(findings.document.path);
  const stored = resources.filter((one) => versionAt(one) === version);
  const parent = parentOf(value, { stored });
  const entity = parent?.value["entity"];
  return typeof entity === "string" ? entity : null;
}

function versionAt({ findings }: CheckedResource): string {
  return versionOf(findings.document.path);
}
