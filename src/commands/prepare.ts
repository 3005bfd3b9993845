import { join } from "node:path";
import type { Change, Plan } from "../apply/change.js";
import type { DiskState } from "../apply/disk-state.js";
import type { Manifest } from "../apply/manifest.js";
import { EMPTY_MANIFEST, readManifest, unitedManifests } from "../apply/manifest.js";
import { plan } from "../apply/plan.js";
import { readDisk } from "../apply/read-disk.js";
import { readCache, type Cache } from "../apply/cache.js";
import { sameInputs, stampInputs } from "../apply/stamp-inputs.js";
import type { Stamp } from "../apply/stamp.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import type { Environment, Merges } from "./environment.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import { editedContracts, readLock } from "./frozen-files.js";
import { withMerges } from "./merged-contracts.js";
import { FOLLOW, type MigrationTask } from "./migration-task.js";
import type { Publication, RenderedProject } from "./render-project.js";
import { renderProject } from "./render-project.js";
import { reuseOf, type Reuse } from "./reuse.js";
import { serviceChange } from "./service-change.js";
import { textHash } from "../apply/text-hash.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { chainProblem } from "../migrations/chain-problem.js";
import { MIGRATIONS } from "../migrations/read-chain.js";
import type { OutputFile } from "../render/output-file.js";

/** A plan, with everything that it was made from. */
export interface Prepared {
  readonly project: RenderedProject;
  readonly plan: Plan;
  readonly disk: DiskState;
  /** Stamps of the inputs, taken before the first file was read; null if they cannot be trusted. */
  readonly inputs: ReadonlyMap<string, Stamp> | null;
  /** The text of generator.lock, or null. */
  readonly lockText: string | null;
}

/** How to plan. */
export interface PrepareOptions {
  readonly force: boolean;
  /** Left out: the migration that follows from the schemas is made. */
  readonly task?: MigrationTask;
  /** Left out: no version is promised to clients that was not before. */
  readonly publication?: Publication | null;
  /** Changes of the user's own files that the command was asked for, done with the others or not at all; left out: none. */
  readonly also?: (project: RenderedProject) => Promise<readonly Change[]>;
}

/** The one way to a plan: `generate` carries it out, `check` and a dry run print it (G15). */
export async function prepare(
  env: Environment,
  cache: Cache | null,
  options: PrepareOptions,
): Promise<Result<Prepared>> {
  const { force, task = FOLLOW, publication = null } = options;
  const { files, root, version } = env;
  const inputs = stampInputs(files, root);
  // Read before any file, so that a change of it tells of another run that writes meanwhile.
  const lockText = readLock(env);
  const reuse = reuseOf(env, force ? null : cache);
  const project = await renderProject(files, root, reuse, {
    ...{ task, publication },
    withMerges: (tree) => withMerges(env, tree),
  });
  if (!project.ok) return project;
  const given = { project: project.value, standing: reuse.standing, options };
  const own = trustedManifest(lockText, version, force);
  let planned = own.ok ? await planWith(env, given, { manifest: own.value }) : own;
  if (!planned.ok && env.merges !== undefined) {
    const recorded = mergedRecord(env, own, await env.merges());
    if (recorded !== null) planned = await planWith(env, given, recorded);
  }
  if (!planned.ok && readLock(env) !== lockText) {
    return prepare(env, readCache(env), options);
  }
  if (!planned.ok) return failure([...project.diagnostics, ...planned.diagnostics]);
  const prepared = {
    project: project.value,
    plan: withOthers(planned.value.plan, await othersOf(env, project.value, options)),
    disk: planned.value.disk,
    inputs,
    lockText,
  };
  return success(prepared, [...project.diagnostics, ...planned.diagnostics]);
}

/** What generator.lock says, and which files count as generated although git has put their lines together. */
interface Recorded {
  readonly manifest: Manifest;
  readonly isMerged?: (path: string) => boolean;
}

interface Given {
  readonly project: RenderedProject;
  readonly standing: Reuse["standing"];
  readonly options: PrepareOptions;
}

async function planWith(
  env: Environment,
  { project, standing, options: { force, task = FOLLOW } }: Given,
  { manifest, isMerged }: Recorded,
): Promise<Result<Pick<Prepared, "plan" | "disk">>> {
  const { outputs, tree } = project;
  const isAnew = force || task.kind === "squash";
  const gone = isAnew ? [] : await goneMigrations(env, manifest, outputs);
  if (gone.length > 0) return failure(gone);
  const disk = readDisk(env.files, env.root, manifest, standing);
  const edited = editedContracts(tree.contracts, outputs, manifest, isMerged);
  if (edited.length > 0) return failure(edited);
  const options = { version: env.version, force, ...(isMerged && { isMerged }) };
  const planned = plan(outputs, disk, options);
  return planned.ok ? success({ plan: planned.value, disk }, planned.diagnostics) : planned;
}

/** What both branches of a merge have on record, whichever side of generator.lock was taken; null where nothing is merged. */
function mergedRecord(env: Environment, own: Result<Manifest>, merges: Merges): Recorded | null {
  const sides = merges
    .textsOf(env.root, MANIFEST_PATH)
    .map((text) => readManifest(text, env.version));
  const known = [own, ...sides].flatMap((one) => (one.ok ? [one.value] : []));
  if (sides.length < 2 || known.length < 2) return null;
  const manifest = unitedManifests(known);
  return { manifest, isMerged: mergedFiles(env, manifest, merges) };
}

/** A publication changes the user's own service.yaml with the files that follow from it, an upgrade package.json; all or none. */
async function othersOf(
  env: Environment,
  project: RenderedProject,
  { publication = null, also }: PrepareOptions,
): Promise<readonly Change[]> {
  const service = publication === null ? null : serviceChange(env, publication.service);
  return [...(service === null ? [] : [service]), ...((await also?.(project)) ?? [])];
}

function withOthers({ changes }: Plan, others: readonly Change[]): Plan {
  const paths = new Set(others.map(({ path }) => path));
  const rest = changes.filter(({ path }) => !paths.has(path));
  return { changes: [...rest, ...others].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** True when nothing that the plan was made of has changed since; a second look, under the lock (G5). */
export function isCurrent(env: Environment, { inputs, lockText }: Prepared): boolean {
  const now = stampInputs(env.files, env.root);
  const isUnseen = inputs === null && now === null;
  return readLock(env) === lockText && (isUnseen || sameInputs(inputs, now));
}

/** With force, a damaged lock counts as empty: every file that differs is saved first. */
function trustedManifest(text: string | null, version: string, force: boolean): Result<Manifest> {
  const manifest = readManifest(text, force ? null : version);
  return manifest.ok || !force ? manifest : success(EMPTY_MANIFEST);
}

/**
 * The migrations that generator.lock knows, that are not there, that databases may have run, and that this run does not
 * write again as they were. Of two that do not fit together, one is deleted by hand: the other has its number, or a higher.
 */
async function goneMigrations(
  { files, root, releases }: Environment,
  { generated, userFiles }: Manifest,
  outputs: readonly OutputFile[],
): Promise<readonly Diagnostic[]> {
  const known = [...generated.keys(), ...userFiles.keys()].flatMap((path) => {
    const [folder, name, file] = path.split("/");
    return folder === MIGRATIONS && name !== undefined && file !== undefined ? [name] : [];
  });
  const isThere = (name: string): boolean => files.lstat(join(root, MIGRATIONS, name)) !== null;
  const names = [...new Set(known)].sort();
  const newest = Math.max(0, ...names.filter(isThere).map(numberOf));
  const isSame = (name: string): boolean =>
    outputs.some(
      ({ path, text }) =>
        path === `${MIGRATIONS}/${name}/migration.json` &&
        text !== null &&
        generated.get(path)?.includes(textHash(text)) === true,
    );
  const gone = names.filter((name) => !isThere(name) && numberOf(name) > newest && !isSame(name));
  if (gone.length === 0 || releases === undefined) return [];
  const isReleased = await releases();
  return gone.filter(isReleased).map((name) => chainProblem("SCH-430", name, { name }));
}

/** 2 for `0002-rename-orders-fax`. */
function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

/** What git writes between the lines of two branches that it could not merge. */
const MARKER = /^(?:<{7} .*|\|{7} .*|={7}|>{7} .*)$/;

/**
 * Says of a generated file whether it consists of the generated texts of two branches, line by line: git has merged it, and
 * no line of it is anybody's. A text that was edited in one of the branches is not on record, so that its lines count as somebody's.
 */
function mergedFiles(
  { files, root }: Environment,
  manifest: Manifest,
  merges: Merges,
): (path: string) => boolean {
  return (path) => {
    const recorded = manifest.generated.get(path) ?? [];
    const sides = merges.textsOf(root, path).filter((text) => recorded.includes(textHash(text)));
    if (sides.length < 2) return false;
    const lines = new Set(sides.flatMap(linesOf));
    return linesOf(files.readText(join(root, path))).every(
      (line) => lines.has(line) || MARKER.test(line),
    );
  };
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}
