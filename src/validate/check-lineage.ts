import type { KindName } from "../kinds/kinds.js";
import { kindNameOf, longForm, type PropertyObjectYaml } from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";
import { checkConversionWords } from "./check-conversion-words.js";
import { checkConverted, checkTwice } from "./check-converted.js";
import type { CheckedResource } from "./read-resource.js";
import { checkShared } from "./check-shared.js";
import type { Findings } from "./findings.js";
import type { Mapping } from "./plain.js";
import { innerYaml, type ObjectStep, type PropertiesYaml } from "./object-step.js";
import { withParent, type Lineage, type LineageVersion } from "./lineage.js";
import { underStoredNames, type StoredPlural } from "./stored-plurals.js";

/** A version of a resource, with where its mistakes are told. */
export interface CheckedVersion {
  readonly lineage: LineageVersion;
  readonly findings: Findings;
}

/** Two versions of a resource, one after the other. */
export interface Pair {
  readonly older: CheckedVersion;
  readonly newer: CheckedVersion;
}

/** A resource through its versions, the oldest first, and with the steps between them. */
export interface Versions {
  readonly versions: readonly CheckedVersion[];
  readonly lineage: Lineage;
  /** What service.yaml says of each version. */
  readonly declared: Mapping;
  /** Versions before the first one that are retired, and whose files are gone. */
  readonly isContinued: boolean;
}

/** VER-2: says what became of each property of the older version, and what the older version shows of the newer. */
export function checkStep(pair: Pair, step: ObjectStep): void {
  const { older, newer } = pair;
  const { value, version } = older.lineage;
  const { findings } = newer;
  if (newer.lineage.value.sameAs !== undefined) return;
  if (value.entity !== newer.lineage.value.entity) {
    const suggestion = `Write \`entity: ${value.entity}\`.`;
    findings.add(
      "SCH-170",
      { path: ["entity"] },
      { older: version, entity: value.entity },
      { suggestion },
    );
  }
  const { parent = "" } = value;
  if (parent !== (newer.lineage.value.parent ?? "")) {
    const at = { path: [newer.lineage.value.parent === undefined ? "resource" : "parent"] };
    const suggestion =
      parent === "" ? "Remove it, or make another resource." : `Write \`parent: ${parent}\`.`;
    findings.add("SCH-171", at, { older: version, parent }, { suggestion });
    return;
  }
  checkObject({
    ...pair,
    step,
    before: withParent(older.lineage),
    after: withParent(newer.lineage),
    path: "",
  });
}

/** An object of both versions. */
export interface Objects extends Pair {
  readonly step: ObjectStep;
  readonly before: PropertiesYaml;
  readonly after: PropertiesYaml;
  /** In the older version, with a dot. */
  readonly path: string;
}

function checkObject(objects: Objects): void {
  const { older, newer, step, before, after, path } = objects;
  const { version, value } = older.lineage;
  checkRemoved(objects);
  checkConverted(objects);
  checkConversionWords(objects);
  const { findings } = newer;
  for (const name of step.gone) {
    const ways = [
      `\`removed: { ${path}${name}: why }\``,
      `\`renamedFrom: ${name}\` at the property that it has become`,
      conversionWords(name, longForm(before[name] ?? {})),
    ];
    const suggestion = `Write ${ways.join(", or ")}.`;
    findings.add(
      "SCH-172",
      { path: step.place, part: "key" },
      { older: version, name: path + name },
      { suggestion },
    );
  }
  for (const name of step.added) {
    const yaml = longForm(after[name] ?? {});
    const at = { path: [...step.place, name], part: "key" } as const;
    if (yaml.inOlderVersions !== undefined) tellNeedless(yaml, [...step.place, name], newer);
    const isState = path === "" && newer.lineage.value.states?.property === name;
    if (isState || !isDemanded(yaml)) continue;
    const first = canHaveDefault(yaml) ? "Give it a `default`" : `Take \`${demand(yaml)}\` away`;
    const suggestion = `${first}, or write \`converted\` where it is made of a property that goes: "generator explain converted".`;
    findings.add("SCH-173", at, { older: version, name }, { suggestion });
  }
  for (const kept of step.kept) {
    const was = before[kept.older] ?? {};
    const is = after[kept.newer] ?? {};
    const isState = path === "" && value.states?.property === kept.older;
    const place = [...step.place, kept.newer];
    checkShared({ was, is, place, isState, name: kept.newer, older: version, findings });
    if (kept.inner === null) continue;
    checkObject({
      older,
      newer,
      step: kept.inner,
      before: innerYaml(was).properties ?? {},
      after: innerYaml(is).properties ?? {},
      path: `${path}${kept.older}.`,
    });
  }
}

/** How the schema can say that another property is made of one. */
function conversionWords(name: string, yaml: PropertyObjectYaml): string {
  const words: Partial<Record<KindName, string>> = {
    integer: `\`converted: { from: ${name}, unit: 100 }\` at a decimal in larger units`,
    enum: `\`converted: { from: ${name}, values: { ${yaml.enum?.[0] ?? "old"}: new } }\` at an enum with other names`,
  };
  const code = "`converted: true` at the property that custom code makes from it";
  const said = words[kindNameOf(yaml) ?? "string"];
  return said === undefined ? code : `${said}, or ${code}`;
}

/** A value that no older version has needs nothing that is shown instead. */
function tellNeedless(
  yaml: PropertyObjectYaml,
  place: readonly PathStep[],
  { findings }: CheckedVersion,
): void {
  for (const value of Object.keys(yaml.inOlderVersions ?? {})) {
    if (yaml.enum?.includes(value) === true) continue;
    findings.add(
      "SCH-176",
      { path: [...place, "inOlderVersions", value], part: "key" },
      { value },
      { suggestion: `Values are ${(yaml.enum ?? []).join(", ")}.` },
    );
  }
}

/** Whether a new entity needs a value of it. */
function isDemanded(yaml: PropertyObjectYaml): boolean {
  if (yaml.items !== undefined) return (yaml.minItems ?? 0) > 0;
  return yaml.required === true && yaml.default === undefined;
}

/** What is unique, refers or holds others has no default. */
function canHaveDefault({ unique, reference, properties, items }: PropertyObjectYaml): boolean {
  return unique !== true && [reference, properties, items].every((one) => one === undefined);
}

function demand({ items }: PropertyObjectYaml): "minItems" | "required" {
  return items === undefined ? "required" : "minItems";
}

function checkRemoved({ older, newer, step, before, path }: Objects): void {
  for (const name of step.removed) {
    const yaml = longForm(before[name] ?? {});
    if (!isDemanded(yaml)) continue;
    const at = { path: ["removed", path + name], part: "key" } as const;
    const { version } = older.lineage;
    const there = `in ${older.findings.document.path}`;
    const suggestion = canHaveDefault(yaml)
      ? `Give it a \`default\` ${there}.`
      : `Keep it until ${version} is retired. Or, while ${version} is a draft, take \`${demand(yaml)}\` away ${there}.`;
    const given = { older: version, name: path + name };
    newer.findings.add("SCH-181", at, given, { suggestion });
  }
}

/** What several steps together make impossible. */
export function checkWhole({ versions, lineage: { steps } }: Versions): void {
  const newest = versions.at(-1);
  if (newest === undefined) return;
  steps.forEach((step, index) => {
    const older = versions[index]?.lineage.version ?? "";
    const removedIn = versions[index + 1]?.lineage.version ?? "";
    for (const name of [...step.removed, ...(step.converted?.older ?? [])]) {
      if (!Object.hasOwn(withParent(newest.lineage), name)) continue;
      if (index + 1 === steps.length) continue;
      const at = { path: ["properties", name], part: "key" } as const;
      newest.findings.add("SCH-178", at, { name, older, removed: removedIn });
    }
    const next = steps[index + 1];
    const third = versions[index + 2];
    if (next !== undefined && third !== undefined) checkTwice({ step, next, older }, third);
  });
}

/** What a resource file says, as far as it could be understood. */
export function checkedVersion(
  { value, findings }: CheckedResource,
  version: string,
  parentProperty: string | null,
  stored: StoredPlural,
): CheckedVersion {
  // What `prune` leaves has the shape of the JSON Schema, but for what was cut out of it.
  const whole = { ...value, properties: value["properties"] ?? {} } as unknown;
  const named = underStoredNames(whole as LineageVersion["value"], version, stored);
  return { lineage: { version, value: named, parentProperty }, findings };
}
