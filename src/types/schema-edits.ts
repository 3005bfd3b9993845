import { sentenceOf, type ContractChange } from "../contract/change.js";
import type { ChangeKindId } from "../contract/change-kinds.js";
import { placeOfChange } from "../contract/check-published.js";
import type { Project } from "../contract/project.js";
import { compareContracts, earlierOf } from "../contract/compare-contracts.js";
import { contractOfVersion } from "../contract/contract-of.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";
import { retirements, scopesAsked } from "./other-edits.js";
import type { SchemaEdit } from "./schema-edit.js";

/** Edits that the types of generated code follow; all others leave code that fitted as it is. */
const TYPED: ReadonlySet<ChangeKindId> = new Set<ChangeKindId>([
  "authentication-required",
  "authentication-dropped",
  "resource-added",
  "resource-removed",
  "resource-renamed",
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
  "property-renamed",
  "property-perhaps-renamed",
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
      compareContracts(
        contractOfVersion(before, was),
        contractOfVersion(project.model, is),
        earlierOf(is, false),
      ).filter(({ kind }) => TYPED.has(kind)),
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
  return changes.map((change) => editOf(change, version, project));
}

function editOf(change: ContractChange, version: VersionModel, { tree }: Project): SchemaEdit {
  const { kind, resource, path, before } = change;
  const known = version.resources.find(({ name }) => name.plural === resource);
  const own = foldersOf(resource, known?.entity.name.plural, version);
  return {
    kind,
    resource,
    sentence: sentenceOfEdit(change),
    span: placeOfChange(change, version, tree).span,
    names: new Set([...(path === resource ? [] : [path]), ...namesOf(change)].map(lastName)),
    folders: kind === "resource-renamed" ? [...own, ...foldersOf(before, undefined, version)] : own,
  };
}

/** What was renamed by `renamedFrom` is told as such, and not as what breaks clients. */
function sentenceOfEdit(change: ContractChange): string {
  const { kind, resource, path, before } = change;
  if (kind === "resource-renamed") return `\`${before}\` is called \`${resource}\` now.`;
  return kind === "property-renamed"
    ? `\`${before}\` is called \`${path}\` now.`
    : sentenceOf(change);
}

/** `state` of `deliveryAddress.state`, `tags` of `tags[]`. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).replaceAll("[]", "");
}

/** Beside the path of a property: the values of an enum, which code compares with, and what hooks call all actions. */
function namesOf({ kind, resource, before, after }: ContractChange): readonly string[] {
  if (kind === "resource-renamed") return [before, resource].filter((name) => name !== null);
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
