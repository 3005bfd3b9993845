import { diagnostic, type Diagnostic, type Place } from "../diagnostics/diagnostic.js";
import type { PathStep, SourceDocument, SourceTree } from "../load/source-document.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";
import { adviceOf, AUDIENCES, reasonsOf, sentenceOf, type ContractChange } from "./change.js";
import { CHANGE_KINDS } from "./change-kinds.js";
import { compareContracts, earlierOf } from "./compare-contracts.js";
import { contractOfVersion } from "./contract-of.js";
import {
  frozenContract,
  resourceContractPath,
  versionContractPath,
  type FrozenContract,
} from "./frozen-contract.js";
import { placeOfBreakingEdit } from "./place-of-breaking-edit.js";
import { promisedContract } from "./promised-contract.js";

/** The YAML of a project and what it means. */
export interface Project {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
}

/**
 * VER-3, VER-4: what was promised is there, and no edit breaks it. The version `publishing` is about to be promised for
 * the first time.
 */
export function checkPublished({ tree, model }: Project, publishing?: string): Diagnostic[] {
  const names = model.versions.map(({ name }) => name);
  const forgotten = [...new Set(tree.contracts.map(({ version }) => version))].filter(
    (version) => !names.includes(version),
  );
  return [
    ...forgotten.map((version) => {
      const suggestion = `Write \`${version}: retired\` below \`versions\` once nobody needs it.`;
      return diagnostic("SCH-158", statusPlace(tree, version), { version }, { suggestion });
    }),
    ...model.versions.flatMap((version) =>
      version.name === publishing ? [] : checkVersion(version, { tree, model }),
    ),
  ];
}

function checkVersion(version: VersionModel, project: Project): Diagnostic[] {
  const { tree, model } = project;
  const { name, status } = version;
  const place = statusPlace(tree, name);
  const frozen = frozenContract(name, tree.contracts);
  const damaged = (frozen?.damaged ?? []).map((path) => {
    const suggestion = "Restore it from version control.";
    return diagnostic("SCH-154", fileStart(path), { path }, { suggestion });
  });
  if (status === "retired" || damaged.length > 0) return damaged;
  if (status === "draft") {
    if (frozen === null) return [];
    const suggestion = `Write \`${name}: published\`, and make the next version for what breaks it.`;
    return [diagnostic("SCH-157", place, { version: name }, { suggestion })];
  }
  const missing = missingFile(version, frozen);
  if (missing !== null) {
    const suggestion =
      frozen === null
        ? `Run \`generator publish ${name}\`.`
        : `Restore it from version control; or, where it was never promised, run \`generator publish ${name}\` after removing contract/${name}.`;
    return [diagnostic("VER-4", place, { version: name, status, path: missing }, { suggestion })];
  }
  const now = contractOfVersion(model, version);
  const promised = promisedContract(version, tree, now);
  if (promised === null) return [];
  const changes = compareContracts(promised, now, earlierOf(version, false));
  const breaking = changes.filter((change) => change.class === "breaking");
  const way = wayOut(version, breaking, { tree, model });
  return breaking.map((change) => refusal(change, version, { tree, way }));
}

/** The first file of a frozen contract that there should be; a resource that is new is frozen with its first run. */
function missingFile({ name }: VersionModel, frozen: FrozenContract | null): string | null {
  if (frozen === null || frozen.version === null) return versionContractPath(name);
  return frozen.resources.size === 0 ? resourceContractPath(name, "*") : null;
}

/** VER-3: whom it breaks and why, and the command that makes the next version. */
function refusal(
  change: ContractChange,
  version: VersionModel,
  { tree, way }: { readonly tree: SourceTree; readonly way: string },
): Diagnostic {
  const whom = change.breaks.map((audience) => AUDIENCES[audience]).join(" and ");
  const resource = change.resource ?? "the service";
  const suggestion = [
    sentenceOf(change),
    ...reasonsOf(change).map((reason) => `For ${reason}`),
    adviceOf(change),
    ...(way === "" ? [] : [way]),
  ].join(" ");
  const given = { resource, version: version.name, whom, kind: change.kind };
  return diagnostic("VER-3", placeOfChange(change, version, tree), given, { suggestion });
}

/**
 * VER-3: where edits that break a version have their place, by the resources that were edited themselves; empty: nowhere,
 * since all versions have them alike.
 */
export function wayOut(
  { name }: Pick<VersionModel, "name">,
  breaking: readonly Pick<ContractChange, "kind" | "resource" | "follows">[],
  { tree, model }: Project,
): string {
  const movable = breaking.filter(({ kind }) => CHANGE_KINDS[kind].isOfAll !== true);
  if (movable.length === 0) return "";
  const edited = [
    ...new Set(movable.flatMap(({ follows, resource }) => follows ?? resource ?? [])),
  ];
  const command = ["generator version", nextVersion(model), ...edited].join(" ");
  return placeOfBreakingEdit(name, edited, { tree, newest: model.versions.at(-1), command });
}

/** The version after the newest: `v2`. */
export function nextVersion({ versions }: ServiceModel): string {
  const numbers = versions.map(({ name }) => Number(name.slice(1)));
  return `v${Math.max(0, ...numbers) + 1}`;
}

/** Where a change stands in YAML; of what is gone, the nearest place that there still is. */
export function placeOfChange(
  { resource, at, kind }: Pick<ContractChange, "resource" | "at" | "kind">,
  version: VersionModel,
  tree: SourceTree,
): Place {
  if (resource === null) return locate(tree.service, at);
  const model = version.resources.find(({ name }) => name.plural === resource);
  const document = tree.resources.find(({ path }) => path === model?.source);
  if (document === undefined || kind === "resource-removed") return statusPlace(tree, version.name);
  return locate(document, at.length === 0 ? ["resource"] : at);
}

function locate(document: SourceDocument, path: readonly PathStep[]): Place {
  return document.locate(path, "key");
}

function statusPlace(tree: SourceTree, version: string): Place {
  return tree.service.locate(["versions", version], "key");
}

function fileStart(file: string): Place {
  return { span: { file, line: 1, column: 1, endLine: 1, endColumn: 1 }, source: "" };
}
