import type { SourceTree } from "../load/source-document.js";
import type { VersionModel } from "../model/service-model.js";

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
export function placeOfBreakingEdit(
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
