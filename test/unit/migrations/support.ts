import { applySteps, NO_STORAGE } from "../../../src/migrations/apply-steps.js";
import { migrationDigest } from "../../../src/migrations/migration-digest.js";
import { readModel } from "../../../src/commands/read-model.js";
import { filesOf } from "../../../src/commands/project-migrations.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { linkChain, NO_CHAIN, type Chain } from "../../../src/migrations/chain.js";
import {
  nextMigration,
  type Following,
  type NextMigration,
} from "../../../src/migrations/next-migration.js";
import { wantedStorage, type Wanted } from "../../../src/migrations/wanted.js";
import { expectSuccess } from "../../support/expect-success.js";
import type { Texts } from "../../support/render-files.js";

/** What the schemas of a project ask of its storage; null where they have a mistake. */
export async function wantedBy(project: Texts): Promise<Wanted | null> {
  const files = Object.entries(project).map(([path, text]) => [`/project/${path}`, text]);
  const read = await readModel(new MemoryFiles(Object.fromEntries(files) as Texts), "/project");
  return read.ok ? wantedStorage(read.value.model) : null;
}

/** A chain with a migration more. */
export function grown(chain: Chain, next: NextMigration): Chain {
  const files = filesOf(next).map(({ path, text }) => [path.replace(/^.*\//, ""), text ?? ""]);
  const texts = Object.fromEntries(files) as Texts;
  const { parents, parentDigests, steps, storage } = next.file;
  const migration = {
    ...{ name: next.name, parents, parentDigests, steps, storage, texts },
    isHandWritten: false,
    digest: migrationDigest(texts),
  };
  return expectSuccess(linkChain([...chain.migrations, migration]));
}

/** The first migration of a project, and the one that follows from an edit of it. */
export async function afterEdit(
  before: Texts,
  after: Texts,
): Promise<{ chain: Chain; following: Following }> {
  const [first, second] = [await wantedBy(before), await wantedBy(after)];
  if (first === null || second === null) throw new Error("a schema has a mistake");
  const initial = nextMigration(NO_CHAIN, first);
  if (initial.kind !== "next") throw new Error("there is no first migration");
  const chain = grown(NO_CHAIN, initial.next);
  return { chain, following: nextMigration(chain, second) };
}

export { applySteps, NO_STORAGE };
