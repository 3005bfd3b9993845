import fc from "fast-check";
import { expect, test } from "vitest";
import { applySteps, NO_STORAGE } from "../../../src/migrations/apply-steps.js";
import { storageFingerprint } from "#runtime/store/storage-model";
import { NO_CHAIN } from "../../../src/migrations/chain.js";
import { nextMigration, withoutRetired } from "../../../src/migrations/next-migration.js";
import { cases } from "../../support/thorough.js";
import { edits, FIRST, textsOf } from "../../support/schema-walk.js";
import { grown, wantedBy } from "./support.js";

const RUNS = cases({ usual: 20, long: 60 });

test("the steps of all migrations of a walk of edits lead to the storage that the last schemas ask for", async () => {
  const counts = { edits: 0, refused: 0, migrations: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 10, maxLength: 10 }), async (walk) => {
      let [schemas, chain] = [FIRST, NO_CHAIN];
      for (const { edit, turn } of [{ edit: (same: typeof FIRST) => same, turn: 0 }, ...walk]) {
        const edited = edit(schemas, turn);
        const wanted = await wantedBy(textsOf(edited));
        if (wanted === null) continue;
        counts.edits += 1;
        const following = nextMigration(chain, wanted);
        if (following.kind === "problems") counts.refused += 1;
        if (following.kind === "problems") continue;
        schemas = edited;
        if (following.kind === "none") continue;
        counts.migrations += 1;
        chain = grown(chain, following.next);
        const steps = chain.migrations.flatMap((migration) => migration.steps);
        const folded = withoutRetired(applySteps(NO_STORAGE, steps));
        expect(storageFingerprint(folded)).toBe(storageFingerprint(wanted.model));
        // What follows from the same schemas again is nothing.
        expect(nextMigration(chain, wanted).kind).toBe("none");
      }
    }),
    { numRuns: RUNS, seed: 20_261_122 },
  );
  expect(counts.migrations).toBeGreaterThan(RUNS * 4);
  expect(counts.refused).toBeGreaterThan(RUNS / 6);
});
