import type { ServiceModel, VersionModel } from "../model/service-model.js";
import type { ContractChange } from "./change.js";
import { CHANGE_KINDS, type ChangeClass } from "./change-kinds.js";
import type { Project } from "./project.js";
import type { SourceTree } from "../load/source-document.js";

/** What is known of a change here. */
interface Told extends Pick<ContractChange, "kind" | "resource" | "follows"> {
  readonly class: ChangeClass | "adapt";
}

/**
 * VER-3: where edits that break a version have their place, by the resources that were edited themselves; empty: nowhere,
 * since all versions have them alike.
 */
export function wayOut(
  version: VersionModel,
  found: readonly Told[],
  { tree, model }: Project,
): string {
  const movable = found.filter((one) => one.class === "breaking" && !isOfAll(one));
  if (movable.length === 0) return "";
  const edited = [
    ...new Set(movable.flatMap(({ follows, resource }) => follows ?? resource ?? [])),
  ];
  const newest = model.versions.at(-1) ?? version;
  const there = edited.flatMap((plural) => pluralIn(newest, plural, version) ?? []);
  // What took the place of a resource that is gone goes where that one is missed.
  const added = found.filter(({ kind }) => kind === "resource-added");
  const come =
    there.length < edited.length && newest === version
      ? added.flatMap(({ resource }) => resource ?? [])
      : [];
  const plurals = [...new Set([...there, ...come])].sort();
  const command = ["generator version", nextVersion(model), ...plurals].join(" ");
  return placeOfBreakingEdit(version.name, plurals, { tree, newest, command });
}

function isOfAll({ kind }: Pick<ContractChange, "kind">): boolean {
  return CHANGE_KINDS[kind].isOfAll === true;
}

/** What a resource of one version is called in another; null: that one has it not. */
function pluralIn(other: VersionModel, plural: string, { resources }: VersionModel): string | null {
  const own = resources.find(({ name }) => name.plural === plural);
  const same = other.resources.find((one) =>
    own === undefined || own.isRepresentation
      ? one.name.plural === plural
      : !one.isRepresentation && one.entity.name.plural === own.entity.name.plural,
  );
  return same?.name.plural ?? null;
}

/** The version after the newest: `v2`. */
export function nextVersion({ versions }: ServiceModel): string {
  const numbers = versions.map(({ name }) => Number(name.slice(1)));
  return `v${Math.max(0, ...numbers) + 1}`;
}

/** What is known of the other versions. */
interface Others {
  readonly tree: SourceTree;
  readonly newest: VersionModel;
  /** `generator version v3 orders` */
  readonly command: string;
}

/**
 * VER-3: where edits that break a version have their place, in the order in which it works; `edited` are the resources
 * that were edited.
 */
function placeOfBreakingEdit(
  version: string,
  edited: readonly string[],
  { tree, newest, command }: Others,
): string {
  if (newest.name === version) {
    return `To make the next version, which takes the edit over (undo it in ${version} then): ${command}`;
  }
  if (newest.status !== "draft") {
    return `To make the next version, a copy of ${newest.name} (undo the edit in ${version}, and make it there): ${command}`;
  }
  const files = edited.map((plural) => `resources/${newest.name}/${plural}.yaml`);
  const same = edited.filter((plural) => isSame(plural, newest.name, tree));
  const first =
    same.length === 0 ? "" : `, after ${["generator version", newest.name, ...same].join(" ")}`;
  return `The next version is a draft already: ${[newest.name, ...files].join(", ")}${first} (when the edit is there, undo it in ${version})`;
}

/** Whether the file of a resource only says which version it is the same as. */
function isSame(plural: string, version: string, { resources }: SourceTree): boolean {
  const path = `resources/${version}/${plural}.yaml`;
  const value = resources.find((document) => document.path === path)?.value;
  return typeof Reflect.get(Object(value), "sameAs") === "string";
}
