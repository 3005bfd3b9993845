import { join } from "node:path";
import type { Change } from "../apply/change.js";
import { internalPath, makeInternalFolder } from "../apply/internal-folder.js";
import { readManifest } from "../apply/manifest.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import { textHash } from "../apply/text-hash.js";
import { packageSections } from "../artifacts/scaffold.js";
import { success, type Result } from "../diagnostics/result.js";
import { integrityOf } from "../files/hash.js";
import { renderScaffold } from "../render/render.js";
import type { Environment } from "./environment.js";
import { executePlan, planOnly } from "./execute-plan.js";
import { finishInterrupted } from "./finish-interrupted.js";
import { outputChanges, releaseNotes, type OutputChanges } from "./upgrade-report.js";
import type { Outcome } from "./outcome.js";
import { packGenerator } from "./pack-generator.js";
import type { RenderedProject } from "./render-project.js";
import { upgradePackage, vendoredArchive, withArchive } from "./upgrade-package.js";
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
  /** The archive of the generator; null: package.json asks for none in `vendor/`. */
  readonly archive: string | null;
  /** It had the very same one before. */
  readonly isSame: boolean;
  /** What was changed in package.json, a line each. */
  readonly changed: readonly string[];
  /** What stays there as the user wrote it. */
  readonly kept: readonly string[];
  /** Files of a new service that are missing; empty where they were made. */
  readonly missing: readonly string[];
  /** What has changed in the output, by part of the service. */
  readonly output: readonly OutputChanges[];
  /** The changelog from the version before to this one, with what is not released yet, as Markdown; "" where it is the same. */
  readonly notes: string;
}

const PACKAGE = "package.json";
const PACKAGE_LOCK = "package-lock.json";
const DRAFT = "upgrade.tgz";

/**
 * Brings a service to the generator that runs: its archive, what package.json asks for, and every generated file. Throws
 * `UsageError` where it is not a service that `init` made.
 */
export async function upgrade(env: Environment, options: UpgradeOptions): Promise<Result<Upgrade>> {
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
  const { files, root, version } = env;
  if (!files.exists(join(root, PACKAGE))) {
    throw new UsageError(`There is no ${PACKAGE} in ${root}: this is not a service.`);
  }
  const lock = join(root, MANIFEST_PATH);
  const manifest = readManifest(files.exists(lock) ? files.readText(lock) : null, null);
  const before = vendoredArchive(files.readText(join(root, PACKAGE)));
  const archive = before === null ? null : `vendor/rulebound-generator-${version}.tgz`;
  const integrity = archive === null ? "" : await drafted(env, options.packageRoot);
  try {
    const isSame = archive !== null && archive === before && integrity === present(env, archive);
    const edit = new PackageEdit(env, { archive, integrity }, options);
    const run = { force: options.force, also: (project: RenderedProject) => edit.changes(project) };
    const old = textsOf(env);
    // A conflict is told before anything is written, the archive too.
    const planned = await planOnly(env, run);
    if (!planned.ok) return planned;
    const outcome = options.dryRun ? planned : await carryOut(env, run, { archive, before });
    if (!outcome.ok) return outcome;
    const from = manifest.ok ? manifest.value.madeBy : null;
    return success(
      {
        outcome: outcome.value,
        ...{ from, to: version, archive, isSame },
        ...{ changed: edit.changed, kept: edit.kept, missing: edit.missing },
        output: outputChanges(outcome.value.changes, old),
        notes: releaseNotes(files, options.packageRoot, { from, to: version }),
      },
      outcome.diagnostics,
    );
  } finally {
    files.remove(internalPath(root, DRAFT));
  }
}

/** The archive comes first: with the old lock npm tells that it is another one, and the next upgrade goes on. */
async function carryOut(
  env: Environment,
  run: Parameters<typeof executePlan>[1],
  { archive, before }: { readonly archive: string | null; readonly before: string | null },
): Promise<Result<Outcome>> {
  const { files, root } = env;
  if (archive !== null) {
    files.makeDirectory(join(root, "vendor"));
    files.rename(internalPath(root, DRAFT), join(root, archive));
  }
  const outcome = await executePlan(env, run);
  if (outcome.ok && before !== null && before !== archive) files.remove(join(root, before));
  return outcome;
}

/** Packs the generator beside the project's cache; the digest of what was packed. */
async function drafted({ files, root }: Environment, packageRoot: string): Promise<string> {
  makeInternalFolder(files, root);
  const draft = internalPath(root, DRAFT);
  await packGenerator(packageRoot, draft);
  return integrityOf(files.readBytes(draft));
}

function present({ files, root }: Environment, archive: string): string | null {
  const path = join(root, archive);
  return files.lstat(path)?.kind === "file" ? integrityOf(files.readBytes(path)) : null;
}

/** The present text of each file that an upgrade may change: after the run it is another one. */
function textsOf({ files, root }: Environment): (path: string) => string {
  const lock = join(root, MANIFEST_PATH);
  const manifest = readManifest(files.exists(lock) ? files.readText(lock) : null, null);
  const generated = manifest.ok ? [...manifest.value.generated.keys()] : [];
  const present = [PACKAGE, PACKAGE_LOCK, ...generated].flatMap((path) => {
    const file = join(root, path);
    return files.lstat(file)?.kind === "file" ? [[path, files.readText(file)] as const] : [];
  });
  const texts = new Map(present);
  return (path) => texts.get(path) ?? "";
}

/** What becomes of the files of the user that an upgrade concerns. */
class PackageEdit {
  changed: readonly string[] = [];
  kept: readonly string[] = [];
  missing: readonly string[] = [];

  constructor(
    private readonly env: Environment,
    private readonly packed: { readonly archive: string | null; readonly integrity: string },
    private readonly options: UpgradeOptions,
  ) {}

  async changes({ model }: RenderedProject): Promise<readonly Change[]> {
    const { files, root } = this.env;
    const scaffold = {
      service: model,
      generatorDependency: `file:${this.packed.archive ?? ""}`,
      hasSeed: files.exists(join(root, "tools/seed.ts")),
    };
    const text = files.readText(join(root, PACKAGE));
    const wanted = packageSections(scaffold, this.packed.archive !== null);
    const upgraded = upgradePackage(text, wanted);
    ({ changed: this.changed, kept: this.kept } = upgraded);
    const absent = (await renderScaffold(scaffold)).filter(
      ({ path }) => files.lstat(join(root, path)) === null,
    );
    this.missing = this.options.scaffold ? [] : absent.map(({ path }) => path).sort();
    const made = this.options.scaffold ? absent : [];
    return [
      ...this.updated(PACKAGE, upgraded.text),
      ...this.updatedLock(),
      ...made.map(({ path, owner, text: whole }): Change => {
        const content = whole ?? "";
        return { kind: "created", path, owner, text: content, after: textHash(content) };
      }),
    ];
  }

  private updatedLock(): readonly Change[] {
    const { files, root, version } = this.env;
    const { archive, integrity } = this.packed;
    if (archive === null || files.lstat(join(root, PACKAGE_LOCK))?.kind !== "file") return [];
    const text = files.readText(join(root, PACKAGE_LOCK));
    return this.updated(PACKAGE_LOCK, withArchive(text, { path: archive, integrity, version }));
  }

  private updated(path: string, text: string): readonly Change[] {
    const { files, root } = this.env;
    const [before, after] = [textHash(files.readText(join(root, path))), textHash(text)];
    if (before === after) return [];
    return [{ kind: "updated", path, owner: "user", text, after, before, savedAs: null }];
  }
}
