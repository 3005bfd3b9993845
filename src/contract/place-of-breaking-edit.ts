import type { SourceTree } from "../load/source-document.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";

/** What is known of the versions. */
interface Versions {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
  /** `generator version v3 orders` */
  readonly command: string;
}

/** VER-3: what to do about an edit that breaks a version, step after step; `edited` are the resources that were edited. */
export function placeOfBreakingEdit(
  { name }: Pick<VersionModel, "name">,
  edited: readonly string[],
  { tree, model, command }: Versions,
): string {
  const newest = model.versions.at(-1);
  if (newest === undefined || newest.name === name) {
    return `Undo the edit; or make the next version, which takes the edit over, and undo it in ${name} then: ${command}`;
  }
  if (newest.status !== "draft") {
    return `Undo the edit; it can be made in the next version: ${command}`;
  }
  const files = edited.map((plural) => {
    const path = `resources/${newest.name}/${plural}.yaml`;
    const value = tree.resources.find((document) => document.path === path)?.value;
    const older: unknown = Reflect.get(Object(value), "sameAs");
    return typeof older === "string"
      ? `${path} (a copy of resources/${older}/${plural}.yaml instead of \`sameAs\`)`
      : path;
  });
  const place = files.length === 0 ? newest.name : files.join(" and ");
  return `Its place is ${newest.name}, which is a draft: ${place}. When it is there, undo it in ${name}.`;
}
