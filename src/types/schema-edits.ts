import { sentenceOf, type ContractChange } from "../contract/change.js";
import type { ChangeKindId } from "../contract/change-kinds.js";
import { placeOfChange, type Project } from "../contract/check-published.js";
import { compareContracts } from "../contract/compare-contracts.js";
import { contractOfVersion } from "../contract/contract-of.js";
import { propertyPlace } from "../contract/place.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";
import { retirements, scopesAsked } from "./other-edits.js";
import type { SchemaEdit } from "./schema-edit.js";

/** Edits that the types of generated code follow; all others leave code that fitted as it is. */
const TYPED: ReadonlySet<ChangeKindId> = new Set<ChangeKindId>([
  "authentication-required",
  "authentication-dropped",
  "resource-added",
  "resource-removed",
  "identifier-renamed",
  "entity-renamed",
  "original-changed",
  "parent-added",
  "parent-removed",
  "parent-changed",
  "states-added",
  "states-removed",
  "operation-added",
  "read-operation-removed",
  "write-operation-removed",
  "action-added",
  "action-removed",
  "action-moved",
  "action-answer-changed",
  "alias-added",
  "alias-removed",
  "property-added",
  "property-added-in-list",
  "property-added-required",
  "property-added-read-only",
  "property-removed",
  "property-became-required",
  "property-became-nullable",
  "reference-target-changed",
  "embed-added",
  "embed-removed",
  "type-changed",
  "enum-opened",
  "text-became-enum",
  "enum-value-added",
  "enum-value-removed",
]);

/** What was edited between an earlier model and the present one, as far as types follow it; each edit once. */
export function schemaEdits(before: ServiceModel, project: Project): readonly SchemaEdit[] {
  const found = comparable(before, project.model).flatMap(([was, is]) =>
    editsOf(
      compareContracts(contractOfVersion(before, was), contractOfVersion(project.model, is)).filter(
        ({ kind }) => TYPED.has(kind),
      ),
      is,
      project,
    ),
  );
  const told = [...retirements(before, project), ...scopesAsked(before, project), ...found];
  const key = ({ resource, sentence }: SchemaEdit): string => `${resource ?? ""} ${sentence}`;
  return [...new Map(told.map((edit) => [key(edit), edit])).values()];
}

type Pair = readonly [was: VersionModel, is: VersionModel];

/** Versions of one name, and the newest ones: what is stored has the newest shape. */
function comparable(before: ServiceModel, after: ServiceModel): readonly Pair[] {
  const same = after.versions.flatMap((is): readonly Pair[] => {
    const was = before.versions.find(({ name }) => name === is.name);
    return was === undefined || is.status === "retired" ? [] : [[was, is]];
  });
  const [was, is] = [before.versions.at(-1), after.versions.at(-1)];
  if (was === undefined || is === undefined || was.name === is.name) return same;
  return [...same, [was, is]];
}

function editsOf(
  changes: readonly ContractChange[],
  version: VersionModel,
  project: Project,
): SchemaEdit[] {
  const renamed = new Map(changes.map((change) => [change, newPath(change, version)]));
  const come = new Set(
    [...renamed].map(([{ resource }, path]) => `${resource ?? ""} ${path ?? ""}`),
  );
  return changes
    .filter(({ kind, resource, path }) => !isAdded(kind) || !come.has(`${resource ?? ""} ${path}`))
    .map((change) => editOf(change, renamed.get(change) ?? null, version, project));
}

function isAdded(kind: ChangeKindId): boolean {
  return kind.startsWith("property-added");
}

/** What a property is called that is gone under this name; null: it was not renamed. */
function newPath({ kind, resource, path }: ContractChange, version: VersionModel): string | null {
  if (kind !== "property-removed") return null;
  const model = version.resources.find(({ name }) => name.plural === resource);
  const [now] = Object.entries(model?.entity.history.renamed ?? {}).find(([to, former]) =>
    former.some((name) => beside(to, name) === path.replaceAll("[]", "")),
  ) ?? [null];
  return now === null ? null : beside(path, now.slice(now.lastIndexOf(".") + 1));
}

/** Another name in the place of the last one of a path. */
function beside(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1) + name;
}

function editOf(
  change: ContractChange,
  renamedTo: string | null,
  version: VersionModel,
  { tree }: Project,
): SchemaEdit {
  const { kind, resource, path } = change;
  const known = version.resources.find(({ name }) => name.plural === resource);
  const at = renamedTo === null ? change.at : propertyPlace(renamedTo, "renamedFrom");
  const { span } = placeOfChange({ ...change, at }, version, tree);
  return {
    kind: renamedTo === null ? kind : "property-renamed",
    resource,
    sentence:
      renamedTo === null ? sentenceOf(change) : `\`${path}\` is called \`${renamedTo}\` now.`,
    span,
    names: new Set([path, ...(renamedTo === null ? namesOf(change) : [renamedTo])].map(lastName)),
    folders: foldersOf(resource, known?.entity.name.plural, version),
  };
}

/** `state` of `deliveryAddress.state`, `tags` of `tags[]`. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).replaceAll("[]", "");
}

/** Beside its path: the values of an enum, which code compares with, and what hooks call all actions. */
function namesOf({ kind, before, after }: ContractChange): readonly string[] {
  if (kind.startsWith("action-")) return ["actions"];
  const isNamed = kind.startsWith("enum-") || kind.endsWith("-renamed");
  return isNamed ? [before, after].flatMap((text) => text?.match(/\w+/g) ?? []) : [];
}

function foldersOf(
  resource: string | null,
  entity: string | undefined,
  { name }: VersionModel,
): readonly string[] {
  if (resource === null) return ["src/generated/"];
  const entities = [...new Set([resource, entity ?? resource])];
  return [
    `src/generated/${name}/${resource}/`,
    ...entities.map((plural) => `src/generated/entities/${plural}/`),
  ];
}
