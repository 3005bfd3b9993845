import { applySteps, NO_STORAGE } from "./apply-steps.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import { StepMismatch } from "./named-items.js";
import { storageFingerprint, type StorageModel } from "#runtime/store/storage-model";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import { conflictOf, type Written } from "./commuting.js";
import { chainProblem } from "./chain-problem.js";

/** A migration as its folder has it. */
export interface ChainMigration {
  /** `0002-rename-orders-fax` */
  readonly name: string;
  readonly parents: readonly string[];
  readonly parentDigests: Readonly<Record<string, string>>;
  readonly steps: readonly MigrationStep[];
  /** The fingerprint that it states; null where nothing can be stated: it was written by hand, or before there were any. */
  readonly storage: string | null;
  readonly isHandWritten: boolean;
  readonly digest: string;
  /** Its files by name, with LF line ends. */
  readonly texts: Readonly<Record<string, string>>;
}

/** All migrations of a project, and what they lead to. */
export interface Chain {
  /** In the order of their names, in which they are applied. */
  readonly migrations: readonly ChainMigration[];
  readonly storage: StorageModel;
  /** Those that no other was made on top of. */
  readonly heads: readonly string[];
}

/** A project without migrations. */
export const NO_CHAIN: Chain = { migrations: [], storage: NO_STORAGE, heads: [] };

/** Links migrations to a chain; tells which of them do not fit together. */
export function linkChain(migrations: readonly ChainMigration[]): Result<Chain> {
  const unlinked = migrations.flatMap((migration) => linkProblems(migration, migrations));
  if (unlinked.length > 0) return failure(unlinked);
  const above = ancestors(migrations);
  const apart = conflicts(migrations, above);
  if (apart.length > 0) return failure(apart);
  const folded = fold(migrations);
  if (typeof folded === "string") return failure([wasChanged(folded)]);
  const followed = new Set(migrations.flatMap(({ parents }) => parents));
  const heads = migrations.filter(({ name }) => !followed.has(name));
  // What the others state is sealed by the digests of those on top of them.
  const untrue = heads.filter((head) => {
    const own = migrations.filter((one) => one === head || above.get(head.name)?.has(one.name));
    return !isAsStated(head, own.length === migrations.length ? folded : fold(own));
  });
  if (untrue.length > 0) return failure(untrue.map(({ name }) => wasChanged(name)));
  return success({ migrations, storage: folded, heads: heads.map(({ name }) => name) });
}

function linkProblems(
  { name, parents, parentDigests }: ChainMigration,
  migrations: readonly ChainMigration[],
): Diagnostic[] {
  return parents.flatMap((parent) => {
    const found = migrations.find((one) => one.name === parent);
    if (found === undefined || parent >= name) {
      return [chainProblem("SCH-141", name, { name, parent })];
    }
    const digest = parentDigests[parent];
    return digest === undefined || digest === found.digest
      ? []
      : [chainProblem("SCH-148", parent, { file: `migrations/${parent}` })];
  });
}

/** What each migration was made on top of, directly or not. */
type Ancestors = ReadonlyMap<string, ReadonlySet<string>>;

function ancestors(migrations: readonly ChainMigration[]): Ancestors {
  const all = new Map<string, ReadonlySet<string>>();
  // Parents come first: they have lower names.
  for (const { name, parents } of migrations) {
    all.set(name, new Set(parents.flatMap((parent) => [parent, ...(all.get(parent) ?? [])])));
  }
  return all;
}

function conflicts(migrations: readonly ChainMigration[], above: Ancestors): Diagnostic[] {
  const isAbove = (one: ChainMigration, other: ChainMigration): boolean =>
    above.get(other.name)?.has(one.name) === true;
  const known = new Map<ChainMigration, Written | null>();
  const written = (one: ChainMigration): Written | null => {
    const found = known.get(one);
    if (found !== undefined) return found;
    const before = fold(migrations.filter((other) => isAbove(other, one)));
    // Steps that do not fit are refused later, when all migrations are folded.
    const fits = typeof before !== "string" && typeof fold([one], before) !== "string";
    const made = fits ? { ...one, before } : null;
    known.set(one, made);
    return made;
  };
  return migrations.flatMap((one, index) =>
    migrations.slice(index + 1).flatMap((other) => {
      if (isAbove(one, other)) return [];
      const [mine, theirs] = [written(one), written(other)];
      const place = mine && theirs && conflictOf(mine, theirs);
      if (place === null) return [];
      const given = { one: one.name, other: other.name, place };
      return [chainProblem("SCH-149", other.name, given)];
    }),
  );
}

/** The storage model that migrations lead to, or the name of the one that does not fit those before it. */
function fold(
  migrations: readonly ChainMigration[],
  before: StorageModel = NO_STORAGE,
): StorageModel | string {
  let model = before;
  for (const { name, steps } of migrations) {
    try {
      model = applySteps(model, steps);
    } catch (error) {
      if (error instanceof StepMismatch) return name;
      throw error;
    }
  }
  return model;
}

function isAsStated({ storage }: ChainMigration, folded: StorageModel | string): boolean {
  if (typeof folded === "string") return false;
  return storage === null || storage === storageFingerprint(folded);
}

/** Its steps do not fit those before it, or do not lead to what it states. */
function wasChanged(name: string): Diagnostic {
  return chainProblem("SCH-148", name, { file: `migrations/${name}/migration.json` });
}
