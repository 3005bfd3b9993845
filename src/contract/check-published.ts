import { diagnostic, type Diagnostic, type Place } from "../diagnostics/diagnostic.js";
import { CONTRACT_FOLDER } from "../load/contract-source.js";
import type { PathStep, SourceDocument, SourceTree } from "../load/source-document.js";
import type { VersionModel } from "../model/service-model.js";
import { adviceOf, AUDIENCES, reasonsOf, sentenceOf, type ContractChange } from "./change.js";
import { compareContracts, earlierOf } from "./compare-contracts.js";
import { contractOfVersion } from "./contract-of.js";
import {
  frozenContract,
  promisedContract,
  resourceContractPath,
  versionContractPath,
  type FrozenContract,
} from "./frozen-contract.js";
import type { Project } from "./project.js";
import { wayOut } from "./way-out.js";

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

/** The files in which published versions have edits that break them; of a resource that is gone, the file that it had. */
export function brokenFiles(project: Project): readonly string[] {
  const intact = project.model.versions.filter(
    (version) => isPromised(version) && promiseProblems(version, project).length === 0,
  );
  const files = intact.flatMap((version) =>
    editsOf(version, project)
      .filter((change) => change.class === "breaking")
      .map((change) =>
        change.kind === "resource-removed"
          ? `resources/${version.name}/${change.resource ?? ""}.yaml`
          : placeOfChange(change, version, project.tree).span.file,
      ),
  );
  return [...new Set(files)];
}

function isPromised({ status }: VersionModel): boolean {
  return status !== "draft" && status !== "retired";
}

function checkVersion(version: VersionModel, project: Project): Diagnostic[] {
  const problems = promiseProblems(version, project);
  if (problems.length > 0 || !isPromised(version)) return problems;
  const { contracts, mergedContracts } = project.tree;
  const edits = [contracts, ...mergedContracts].flatMap((side) => editsOf(version, project, side));
  const told = new Map(edits.map((edit) => [JSON.stringify(edit), edit]));
  const way = wayOut(version, edits, project);
  return [...told.values()]
    .filter((change) => change.class === "breaking")
    .map((change) => refusal(change, version, { tree: project.tree, way }));
}

/** What has become of a version since it was promised. */
function editsOf(
  version: VersionModel,
  { tree, model }: Project,
  contracts = tree.contracts,
): readonly ContractChange[] {
  const promised = promisedContract(version.name, contracts);
  if (promised === null) return [];
  return compareContracts(promised, contractOfVersion(model, version), earlierOf(version, false));
}

/** What keeps it from being known what was promised. */
function promiseProblems(version: VersionModel, { tree }: Project): Diagnostic[] {
  const { name, status } = version;
  const place = statusPlace(tree, name);
  const frozen = frozenContract(name, tree.contracts);
  const damaged = (frozen?.damaged ?? []).map((path) => {
    const suggestion = `After a merge, take the file of either side: \`generator generate\` adds what the other one added. Otherwise restore it from version control. To replace one that another build wrote, remove contract/${name}.json and contract/${name}, and run \`generator publish ${name}\`.`;
    return diagnostic("SCH-154", fileStart(path), { path }, { suggestion });
  });
  if (status === "retired" || damaged.length > 0) return damaged;
  if (status === "draft") {
    if (frozen === null) return [];
    const suggestion = `Write \`${name}: published\`, and make the next version for what breaks it.`;
    return [diagnostic("SCH-157", place, { version: name }, { suggestion })];
  }
  const missing = missingFile(version, frozen, tree.lostContracts);
  if (missing === null) return [];
  const isLost = tree.lostContracts.some(
    (path) => path === versionContractPath(name) || path.startsWith(`${CONTRACT_FOLDER}/${name}/`),
  );
  const suggestion =
    frozen === null && !isLost
      ? `Run \`generator publish ${name}\`.`
      : `Restore it from version control; or, where it was never promised, run \`generator publish ${name}\` after removing contract/${name}.json and contract/${name}.`;
  return [diagnostic("VER-4", place, { version: name, status, path: missing }, { suggestion })];
}

/** The first file of a frozen contract that there should be; a resource that is new is frozen with its first run. */
function missingFile(
  { name }: VersionModel,
  frozen: FrozenContract | null,
  lost: readonly string[],
): string | null {
  if (frozen === null || frozen.version === null) return versionContractPath(name);
  if (frozen.resources.size === 0) return resourceContractPath(name, "*");
  return lost.find((path) => path.startsWith(`${CONTRACT_FOLDER}/${name}/`)) ?? null;
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
    ...reasonsOf(change),
    adviceOf(change),
    ...(way === "" ? [] : [way]),
  ].join(" ");
  const given = { resource, version: version.name, whom, kind: change.kind };
  return diagnostic("VER-3", placeOfChange(change, version, tree), given, { suggestion });
}

/** Where a change stands in YAML; of what is gone, the nearest place that there still is. */
export function placeOfChange(
  { resource, at, kind, path }: Pick<ContractChange, "resource" | "at" | "kind" | "path">,
  version: VersionModel,
  tree: SourceTree,
): Place {
  if (resource === null) return locate(tree.service, at);
  // The edit that makes a deletion refusable is at the reference, or at the child: `bookings.guest`.
  const [plural, ...steps] = kind === "deletion-held" ? path.split(".") : [resource];
  const model = version.resources.find(({ name }) => name.plural === plural);
  const document = tree.resources.find((one) => one.path === model?.source);
  if (document !== undefined && steps.length > 0) return locate(document, ["properties", ...steps]);
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
