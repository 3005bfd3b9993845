import { join } from "node:path";
import type { Change } from "../apply/change.js";
import { clear, internalPath, makeInternalFolder } from "../apply/internal-folder.js";
import { readManifest } from "../apply/manifest.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import { packageSections } from "../artifacts/scaffold.js";
import { GENERATOR, RUNTIME } from "../naming/packages.js";
import { success, type Result } from "../diagnostics/result.js";
import { integrityOf } from "../files/hash.js";
import { renderScaffold } from "../render/render.js";
import type { Environment } from "./environment.js";
import { isEjected } from "./eject.js";
import { executePlan, planOnly } from "./execute-plan.js";
import { onWhole } from "./finish-interrupted.js";
import { createdFile, updatedFile } from "./changed-file.js";
import { formerImports, movedImports, type FormerImport } from "./former-imports.js";
import type { Outcome } from "./outcome.js";
import { archiveOf, packOwn, runtimeFiles } from "./own-archives.js";
import type { RenderedProject } from "./render-project.js";
import { upgradePackage, vendoredArchive, withArchive, type Archive } from "./upgrade-package.js";
import { UsageError } from "./usage-error.js";

/** How to upgrade. */
export interface UpgradeOptions {
  /** The folder of the package of the generator that runs, absolute: the newer one. */
  readonly packageRoot: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** Makes files of a new service that are missing as well. */
  readonly scaffold: boolean;
}

/** What an upgrade did, or would do. */
export interface Upgrade {
  readonly outcome: Outcome;
  /** The generator that wrote the files before; null: none. */
  readonly from: string | null;
  readonly to: string;
  /** The archives in `vendor/`, of those of our packages that package.json asks for there. */
  readonly archives: readonly string[];
  /** It had the very same ones before. */
  readonly isSame: boolean;
  /** What was changed in package.json, a line each. */
  readonly changed: readonly string[];
  /** What stays there as the user wrote it. */
  readonly kept: readonly string[];
  /** Files of the user whose imports of generated files follow where those are now. */
  readonly followed: readonly string[];
  /** Files of a new service that are missing; empty where they were made. */
  readonly missing: readonly string[];
  /** Imports in the user's code of files of the runtime that are no longer in the service. */
  readonly imports: readonly FormerImport[];
  /** The runtime is code of the service, which an upgrade does not touch. */
  readonly isEjected: boolean;
}

const PACKAGE = "package.json";
const PACKAGE_LOCK = "package-lock.json";

/**
 * Brings a service to the generator that runs: its archive, what package.json asks for, and every generated file. Throws
 * `UsageError` where it is not a service that `init` made.
 */
export function upgrade(env: Environment, options: UpgradeOptions): Promise<Result<Upgrade>> {
  return onWhole(env, () => upgradeWhole(env, options));
}

async function upgradeWhole(env: Environment, options: UpgradeOptions): Promise<Result<Upgrade>> {
  const { files, root, version } = env;
  if (!files.exists(join(root, PACKAGE))) {
    throw new UsageError(`There is no ${PACKAGE} in ${root}: this is not a service.`);
  }
  const lock = join(root, MANIFEST_PATH);
  const manifest = readManifest(files.exists(lock) ? files.readText(lock) : null, null);
  const packed = await drafted(env, options.packageRoot);
  try {
    const isSame = packed.every((one) => one.integrity === present(env, one.path));
    const edit = new PackageEdit(env, packed, options);
    const run = { force: options.force, also: (project: RenderedProject) => edit.changes(project) };
    // A conflict is told before anything is written, the archive too.
    const planned = await planOnly(env, run);
    if (!planned.ok) return planned;
    const outcome = options.dryRun ? planned : await carryOut(env, run, packed);
    if (!outcome.ok) return outcome;
    const from = manifest.ok ? manifest.value.madeBy : null;
    const { changed, kept, followed, missing } = edit;
    const archives = packed.map(({ path }) => path);
    const imports = formerImports(files, root, await runtimeFiles(options.packageRoot));
    const value = { outcome: outcome.value, from, to: version, archives, isSame };
    const own = isEjected(files.readText(join(root, PACKAGE)));
    return success(
      { ...value, changed, kept, followed, missing, imports, isEjected: own },
      outcome.diagnostics,
    );
  } finally {
    for (const { draft } of packed) files.remove(draft);
  }
}

/** An archive, packed beside the project's cache before it comes to its path below the service. */
interface PackedArchive extends Archive {
  readonly draft: string;
  /** The archive in its place until now; null: there is none. */
  readonly before: string | null;
}

/** The archives come first: with the old lock npm tells that they are other ones, and the next upgrade goes on. */
async function carryOut(
  env: Environment,
  run: Parameters<typeof executePlan>[1],
  packed: readonly PackedArchive[],
): Promise<Result<Outcome>> {
  const { files, root } = env;
  for (const { draft, path } of packed) {
    files.makeDirectory(join(root, "vendor"));
    files.rename(draft, join(root, path));
  }
  const outcome = await executePlan(env, run);
  for (const { before, path } of packed) {
    if (outcome.ok && before !== null && before !== path) files.remove(join(root, before));
  }
  return outcome;
}

/** Packs those of our packages that the service has as archives. */
async function drafted(env: Environment, packageRoot: string): Promise<readonly PackedArchive[]> {
  const { files, root, version } = env;
  const text = files.readText(join(root, PACKAGE));
  const before = {
    generator: vendoredArchive(text, GENERATOR),
    runtime: vendoredArchive(text, RUNTIME),
  };
  makeInternalFolder(files, root);
  const packed: PackedArchive[] = [];
  for (const [name, full] of [
    ["generator", GENERATOR],
    ["runtime", RUNTIME],
  ] as const) {
    if (before[name] === null) continue;
    const draft = internalPath(root, `upgrade-${name}.tgz`);
    clear(files, draft);
    await packOwn(name, packageRoot, draft);
    const integrity = integrityOf(files.readBytes(draft));
    const path = archiveOf(name, version);
    packed.push({ name: full, path, draft, integrity, version, before: before[name] });
  }
  return packed;
}

function present({ files, root }: Environment, archive: string): string | null {
  const path = join(root, archive);
  return files.lstat(path)?.kind === "file" ? integrityOf(files.readBytes(path)) : null;
}

/** What becomes of the files of the user that an upgrade concerns. */
class PackageEdit {
  changed: readonly string[] = [];
  kept: readonly string[] = [];
  followed: readonly string[] = [];
  missing: readonly string[] = [];

  constructor(
    private readonly env: Environment,
    private readonly packed: readonly Archive[],
    private readonly options: UpgradeOptions,
  ) {}

  async changes({ model }: RenderedProject): Promise<readonly Change[]> {
    const { files, root } = this.env;
    const scaffold = {
      service: model,
      packages: { generator: this.asked(GENERATOR), runtime: this.asked(RUNTIME) },
      hasSeed: files.exists(join(root, "tools/seed.ts")),
    };
    const text = files.readText(join(root, PACKAGE));
    const isVendored = this.packed.some(({ name }) => name === GENERATOR);
    const wanted = packageSections(scaffold, isVendored);
    const upgraded = upgradePackage(text, wanted);
    ({ changed: this.changed, kept: this.kept } = upgraded);
    const absent = (await renderScaffold(scaffold)).filter(
      ({ path }) => files.lstat(join(root, path)) === null,
    );
    this.missing = this.options.scaffold ? [] : absent.map(({ path }) => path).sort();
    const moved = movedImports(this.env);
    this.followed = moved.map(({ path }) => path);
    const made = this.options.scaffold ? absent : [];
    return [
      ...updatedFile(this.env, PACKAGE, upgraded.text),
      ...moved,
      ...this.updatedLock(),
      ...made.map(({ path, text: whole }) => createdFile(path, whole ?? "")),
    ];
  }

  private asked(name: string): string {
    const archive = this.packed.find((one) => one.name === name);
    return archive === undefined ? this.env.version : `file:${archive.path}`;
  }

  private updatedLock(): readonly Change[] {
    const { files, root } = this.env;
    if (files.lstat(join(root, PACKAGE_LOCK))?.kind !== "file") return [];
    const text = files.readText(join(root, PACKAGE_LOCK));
    return updatedFile(this.env, PACKAGE_LOCK, this.packed.reduce(withArchive, text));
  }
}
