import type { Change } from "../apply/change.js";
import { isMapping } from "../validate/plain.js";
import { byNumber } from "../validate/lineage.js";
import { storedPlurals, type StoredPlural } from "../validate/stored-plurals.js";
import { stemOf, versionOf } from "../validate/check-versions.js";
import type { SourceTree } from "../load/source-document.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";

/** The code of a resource of a version. */
const CODE = /^src\/generated\/(v[0-9]+)\/([^/]+)\//;

/**
 * The paths that go with a version that is retired, and that no later version has, by whatever name (VER-2). A run that
 * removes the code of a resource is the one that takes it out of the service; the schema files may be gone by then.
 */
export function gonePaths(
  changes: readonly Change[],
  { model, tree }: { readonly model: ServiceModel; readonly tree: SourceTree },
): readonly string[] {
  const removed = changes.flatMap(({ kind, path }) => {
    const [, version = "", plural = ""] = (kind === "removed" ? CODE.exec(path) : null) ?? [];
    return plural === "" ? [] : [`${version}/${plural}`];
  });
  const stored = storedPlurals(tree.resources.map(namedIn));
  return [...new Set(removed)].flatMap((one) => {
    const [name = "", plural = ""] = one.split("/");
    const version = model.versions.find((own) => own.name === name);
    const isGone = version?.status === "retired" && !isLater(plural, version, model, stored);
    return isGone ? [`${model.basePath}/${name}/${plural}`] : [];
  });
}

function namedIn({
  path,
  value,
}: SourceTree["resources"][number]): Parameters<typeof storedPlurals>[0][number] {
  const renamedFrom = isMapping(value) ? value["renamedFrom"] : undefined;
  return {
    version: versionOf(path),
    plural: stemOf(path),
    renamedFrom: typeof renamedFrom === "string" ? renamedFrom : null,
  };
}

/** Whether a later version serves a resource, under this name or another. */
function isLater(
  plural: string,
  { name: version }: VersionModel,
  { versions }: ServiceModel,
  stored: StoredPlural,
): boolean {
  const now = stored(version, plural);
  return versions
    .filter(({ name }) => byNumber(name, version) > 0)
    .flatMap(({ name, resources }) => resources.map((one) => ({ name, plural: one.name.plural })))
    .some((one) => one.plural === plural || stored(one.name, one.plural) === now);
}
