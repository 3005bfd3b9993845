import { readManifest } from "../apply/manifest.js";
import {
  adviceOf,
  movingOf,
  reasonsOf,
  sentenceOf,
  type ContractChange,
} from "../contract/change.js";
import { checkPublished, placeOfChange } from "../contract/check-published.js";
import { compareContracts, earlierOf } from "../contract/compare-contracts.js";
import { compareDetails } from "../contract/compare-details.js";
import { contractOfVersion } from "../contract/contract-of.js";
import { isFormer, promisedContract } from "../contract/frozen-contract.js";
import type { Contract } from "../contract/resource-contract.js";
import { wayOut } from "../contract/way-out.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { didYouMean } from "../diagnostics/advice.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import { contractSource } from "../load/contract-source.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";
import { nearest } from "../naming/nearest.js";
import type {
  Baseline,
  ChangesReport,
  ReportedChange,
  ResourceChanges,
  VersionChanges,
} from "./changes-report.js";
import type { Environment } from "./environment.js";
import { editedContracts, frozenOutputs, readLock } from "./frozen-files.js";
import { withMerges } from "./merged-contracts.js";
import { readModel, type ReadModel } from "./read-model.js";
import { readRevision, type CommittedPromise, type Revisions } from "./read-revision.js";
import { UsageError } from "./usage-error.js";

/** What to compare. */
export interface ChangesRequest {
  /** Null: every version. */
  readonly version: string | null;
  /** A revision of the repository; null: what was promised of each version. */
  readonly since: string | null;
}

/** What the schemas mean for clients, against what was promised of each version or against another revision (VER-3). */
export async function changes(
  env: Environment,
  { version, since }: ChangesRequest,
  revisions: Revisions,
): Promise<Result<ChangesReport>> {
  const { files, root } = env;
  const read = await readModel(files, root, undefined, {
    withMerges: (tree) => withMerges(env, tree),
  });
  if (!read.ok) return read;
  const { model } = read.value;
  const before = since === null ? null : await readRevision(root, since, revisions);
  const isEdit = ({ code }: { readonly code: string }): boolean => code === "VER-3";
  const unknown = checkPublished(read.value).filter((found) => !isEdit(found));
  if (unknown.length > 0 && since === null) return failure(unknown);
  const edited = since === null ? editedPromises(env, read.value) : [];
  if (edited.length > 0) return failure(edited);
  const versions = chosen(model, version).map((one) =>
    versionChanges(
      one,
      read.value,
      baselineOf(one, read.value, { before, promiseOf: () => revisions.promiseOf(root, one.name) }),
    ),
  );
  const { name, title } = model;
  return success({ service: name, title, since, versions }, read.diagnostics);
}

/** SCH-155: against a promise that was edited by hand, no verdict means anything. */
function editedPromises(env: Environment, project: ReadModel): readonly Diagnostic[] {
  const manifest = readManifest(readLock(env), null);
  if (!manifest.ok) return [];
  return editedContracts(project.tree.contracts, frozenOutputs(project), manifest.value);
}

function chosen({ versions }: ServiceModel, name: string | null): readonly VersionModel[] {
  if (name === null) return versions;
  const found = versions.filter((version) => version.name === name);
  if (found.length > 0) return found;
  const names = versions.map((version) => version.name);
  const near = nearest(name, names);
  const known = near === null ? `There is ${names.join(", ")}.` : didYouMean(near);
  throw new UsageError(`There is no version ${JSON.stringify(name)}. ${known}`);
}

/** What a version is compared with. */
interface Compared {
  readonly baseline: Baseline;
  readonly contract: Contract | null;
  /** The model of it, where it is known. */
  readonly model: { readonly service: ServiceModel; readonly version: VersionModel } | null;
  /** The frozen contract as it is committed, where that is known. */
  readonly committed?: Contract | null;
}

const WITH_NOTHING: Compared = { baseline: { kind: "nothing" }, contract: null, model: null };

interface Earlier {
  readonly before: ServiceModel | null;
  promiseOf(): CommittedPromise | null;
}

function baselineOf(
  version: VersionModel,
  { tree, model }: ReadModel,
  { before, promiseOf }: Earlier,
): Compared {
  if (before?.versions.some(({ name }) => name === version.name) === true) {
    return inModel(before, version.name, { kind: "revision" });
  }
  const contract = before === null ? promisedContract(version.name, tree.contracts) : null;
  if (contract !== null) {
    const { commit = null, date = null, contracts = new Map<string, string>() } = promiseOf() ?? {};
    const sources = [...contracts].flatMap(([path, text]) => contractSource(path, text) ?? []);
    const committed = promisedContract(version.name, sources);
    return { baseline: { kind: "contract", commit, date }, contract, model: null, committed };
  }
  const older = model.versions[model.versions.indexOf(version) - 1];
  if (older === undefined) return WITH_NOTHING;
  return inModel(model, older.name, { kind: "version", name: older.name });
}

function inModel(service: ServiceModel, name: string, baseline: Baseline): Compared {
  const version = service.versions.find((one) => one.name === name);
  if (version === undefined) return WITH_NOTHING;
  const contract = contractOfVersion(service, version);
  return { baseline, contract, model: { service, version } };
}

function versionChanges(
  version: VersionModel,
  project: ReadModel,
  { baseline, contract, model, committed = null }: Compared,
): VersionChanges {
  const { name, status, deprecated, sunset } = version;
  const now = contractOfVersion(project.model, version);
  // What a retired version once was is nobody's concern any more.
  const isCompared = contract !== null && status !== "retired";
  const found = isCompared
    ? compareContracts(contract, now, earlierOf(version, baseline.kind === "version"))
    : [];
  const details = model === null ? [] : compareDetails(model, { service: project.model, version });
  const isGuide = isGuideOf(version, baseline);
  const open = new Set(found.map((change) => JSON.stringify(change)));
  const added =
    committed === null || !isCompared
      ? []
      : compareContracts(committed, now, earlierOf(version, false))
          .filter((change) => !open.has(JSON.stringify(change)))
          .map((change) => reported(change, version, project, isGuide));
  const all = [...found, ...details].map((change) => reported(change, version, project, isGuide));
  const plurals = [...new Set([...now.resources.keys(), ...all.map(({ resource }) => resource)])];
  const isOf = (resource: string | null) => (change: ReportedChange) =>
    change.resource === resource;
  const resources = plurals
    .filter((plural) => plural !== null)
    .sort()
    .map((plural): ResourceChanges => ({
      name: plural,
      changes: all.filter(isOf(plural)).sort(byPlace),
    }));
  const own = all.filter(isOf(null));
  return {
    ...{ name, status, deprecated, sunset, baseline },
    isBroken: isBroken(all),
    isGuide,
    service: own,
    resources,
    added,
    next: [
      nextStep(version, baseline, all, project),
      addedStep(baseline, all, added),
      formerStep(version, contract),
    ]
      .filter((step) => step !== "")
      .join(" "),
  };
}

function byPlace(one: ReportedChange, other: ReportedChange): number {
  return one.line - other.line || one.column - other.column;
}

/** A draft may change in any way, and a new version differs from the one before it on purpose. */
function isGuideOf({ status }: VersionModel, { kind }: Baseline): boolean {
  return status === "draft" || kind === "version";
}

function isBroken(found: readonly ReportedChange[]): boolean {
  return found.some((change) => change.class === "breaking");
}

function reported(
  change: ContractChange,
  version: VersionModel,
  { tree }: ReadModel,
  isGuide: boolean,
): ReportedChange {
  const { span } = placeOfChange(change, version, tree);
  const { kind, resource, path, before, after, breaks, follows } = change;
  const hasToAdapt = isGuide && change.class === "breaking";
  return {
    ...{ kind, resource, follows, path, before, after, breaks },
    class: hasToAdapt ? "adapt" : change.class,
    sentence: sentenceOf(change),
    reasons: reasonsOf(change),
    advice: hasToAdapt ? movingOf(change) : adviceOf(change),
    file: span.file,
    line: span.line,
    column: span.column,
    endLine: span.endLine,
    endColumn: span.endColumn,
  };
}

/** What to do next about all of them together, in a sentence; empty: nothing. */
function nextStep(
  version: VersionModel,
  baseline: Baseline,
  found: readonly ReportedChange[],
  project: ReadModel,
): string {
  const { name, status } = version;
  if (status === "draft" && baseline.kind === "nothing") {
    return `${name} is a draft: nothing is promised of it yet. When clients may rely on it: generator publish ${name}`;
  }
  if (status === "draft")
    return `${name} is a draft. When clients may rely on it: generator publish ${name}`;
  if (isBroken(found)) {
    return ["Undo the breaking edit.", wayOut(version, found, project)].join(" ").trimEnd();
  }
  if (found.length > 0 && baseline.kind === "contract") {
    return `Nothing breaks. generator generate adds this to contract/${name}.`;
  }
  return "";
}

/** What has become part of the promise with no commit yet, and how to look further back; empty: nothing. */
function addedStep(
  baseline: Baseline,
  found: readonly ReportedChange[],
  added: readonly ReportedChange[],
): string {
  if (baseline.kind !== "contract" || baseline.commit === null || found.length > 0) return "";
  const told = added.map(({ resource, sentence }) => `${resource ?? "the service"}: ${sentence}`);
  const taken =
    told.length === 0
      ? []
      : [`Not committed yet, and part of the promise since generator generate: ${told.join(" ")}`];
  return [...taken, "To compare with a branch or a commit: generator changes --since main"].join(
    " ",
  );
}

/** What a run adds to a promise of the former format; empty: nothing. */
function formerStep({ name, status }: VersionModel, contract: Contract | null): string {
  if (status === "retired" || !isFormer(contract)) return "";
  return `contract/${name}.json does not record the name of the service, the source of its events and its tokens yet. generator generate adds them.`;
}
