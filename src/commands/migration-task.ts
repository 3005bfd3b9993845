import { applySteps } from "../migrations/apply-steps.js";
import { linkChain, type Chain, type ChainMigration } from "../migrations/chain.js";
import { dropSteps } from "../migrations/drop-retired.js";
import type { EditProblem } from "../migrations/edit-problem.js";
import { handWritten } from "../migrations/hand-written.js";
import { migrationOf, nextMigration, type NextMigration } from "../migrations/next-migration.js";
import { MIGRATION_NAME } from "../migrations/read-chain.js";
import type { Wanted } from "../migrations/wanted.js";
import { UsageError } from "./usage-error.js";

/** What a run does about migrations. */
export type MigrationTask =
  /** Makes the one that follows from the schemas. */
  | { readonly kind: "follow" }
  /** Makes an empty one for the user to write. */
  | { readonly kind: "new"; readonly words: string }
  /** Makes one that drops what is retired. */
  | { readonly kind: "drop" }
  /** Makes one of all that were never released: the one that there is anew, where the schemas lead elsewhere now. */
  | { readonly kind: "squash"; isReleased(name: string): boolean };

/** What `generate` does. */
export const FOLLOW: MigrationTask = { kind: "follow" };

/** A new migration, and who owns it. */
export interface MadeMigration extends NextMigration {
  readonly isHandWritten: boolean;
}

/** What becomes of a chain: the migrations that stay, and the new one. */
export interface TaskResult {
  readonly kept: Chain;
  readonly made: MadeMigration | null;
  readonly problems: readonly EditProblem[];
}

/** Carries out a task on a chain. Throws `UsageError` where it cannot be done now. */
export function doTask(chain: Chain, wanted: Wanted, task: MigrationTask): TaskResult {
  switch (task.kind) {
    case "follow":
      return follow(chain, wanted);
    case "new":
      return byHand(chain, wanted, task.words);
    case "drop":
      return drop(chain, wanted);
    case "squash":
      return squash(chain, wanted, (name) => task.isReleased(name));
  }
}

function follow(chain: Chain, wanted: Wanted): TaskResult {
  const following = nextMigration(chain, wanted);
  switch (following.kind) {
    case "none":
      return { kept: chain, made: null, problems: [] };
    case "problems":
      return { kept: chain, made: null, problems: following.problems };
    case "next":
      return { kept: chain, made: { ...following.next, isHandWritten: false }, problems: [] };
  }
}

/** What is written by the way belongs to the schemas as they are: their own migration has to be there. */
function refuseUnfollowed(chain: Chain, wanted: Wanted): void {
  if (nextMigration(chain, wanted).kind === "none") return;
  throw new UsageError(
    'The edited schemas need a migration of their own: run "generator generate" first, or undo the edit until this one is made.',
  );
}

function byHand(chain: Chain, wanted: Wanted, words: string): TaskResult {
  refuseUnfollowed(chain, wanted);
  const made = handWritten(chain, words);
  if (!MIGRATION_NAME.test(made.name)) {
    throw new UsageError(
      `${JSON.stringify(words)} cannot name a migration: it has no letter and no digit.`,
    );
  }
  return { kept: chain, made: { ...made, isHandWritten: true }, problems: [] };
}

function drop(chain: Chain, wanted: Wanted): TaskResult {
  refuseUnfollowed(chain, wanted);
  const steps = dropSteps(chain.storage);
  if (steps.length === 0) {
    throw new UsageError("There is nothing to drop: every column and every table is in use.");
  }
  const made = migrationOf(chain, steps, applySteps(chain.storage, steps));
  return { kept: chain, made: { ...made, isHandWritten: false }, problems: [] };
}

/** The released ones come first: what one was made on top of is as old as it at least. */
function squash(
  { migrations }: Chain,
  wanted: Wanted,
  isReleased: (name: string) => boolean,
): TaskResult {
  const released = migrations.filter(({ name }) => isReleased(name));
  const drafts = migrations.filter((migration) => !released.includes(migration));
  const early = drafts.find((draft) =>
    released.some(({ parents }) => parents.includes(draft.name)),
  );
  if (early !== undefined) {
    throw new UsageError(
      `${early.name} cannot be folded: a released migration was made on top of it.`,
    );
  }
  const byHand = drafts.find(({ isHandWritten }) => isHandWritten);
  if (byHand !== undefined) {
    throw new UsageError(
      `${byHand.name} was written by hand, and would be lost. Delete it, or release it first.`,
    );
  }
  const kept = linkChain(released);
  // They fitted together with the others.
  if (!kept.ok) throw new UsageError("The released migrations depend on unreleased ones.");
  const folded = follow(kept.value, wanted);
  const isOneAsItWas = drafts.length === 1 && sameSteps(folded.made, drafts[0]);
  const isNothing = drafts.length === 0 && folded.made === null && folded.problems.length === 0;
  if (released.length > 0 && (isNothing || isOneAsItWas)) {
    throw new UsageError(`There is nothing to fold: ${counted(drafts.length)} not released.`);
  }
  return folded;
}

function sameSteps(made: MadeMigration | null, draft: ChainMigration | undefined): boolean {
  return JSON.stringify(made?.file.steps) === JSON.stringify(draft?.steps);
}

function counted(count: number): string {
  return count === 1 ? "1 migration is" : `${count} migrations are`;
}
