import fc from "fast-check";
import { expect, test } from "vitest";

import { migrationState } from "#runtime/store/migrations/state";
import type { Migration, RecordedMigration } from "#runtime/store/migrations/migration";

/** A chain of which each migration leads from one of a few states to another, as its fingerprint says. */
function chainOf(states: readonly string[], isLinear: readonly boolean[]): readonly Migration[] {
  return states.map((fingerprint, index) => ({
    name: `000${index}`,
    script: "",
    digest: "",
    steps: [{ step: "changeValues", table: "t", path: "p", values: null, bounds: {} }],
    parents: index === 0 || isLinear[index] === false ? [] : [`000${index - 1}`],
    storage: { fingerprint, model: "{}" },
    retiresOlder: false,
  }));
}

const recordOf = ({ name, digest, storage }: Migration): RecordedMigration => {
  return { name, digest, storage, done: null };
};

test("whatever releases a database has seen, each one leads to its own state, and runs a migration only where it begins", () => {
  let undone = 0;
  const state = fc.constantFrom("a", "b", "c");
  fc.assert(
    fc.property(
      fc.array(state, { minLength: 2, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }),
      (states, isLinear, releases) => {
        const all = chainOf(states, isLinear);
        const recorded: RecordedMigration[] = [];
        let current = "";
        for (const release of releases.toSorted()) {
          const own = all.slice(0, release + 1);
          const found = migrationState(own, recorded);
          for (const { migration } of found.pending) {
            const place = all.indexOf(migration);
            // What is skipped in between does nothing together.
            if (place > 0 && isLinear[place] !== false) expect(current).toBe(states[place - 1]);
            current = states[place] ?? "";
            recorded.push(recordOf(migration));
          }
          expect(current).toBe(states[own.length - 1]);
          undone += found.undone.length;
          expect(migrationState(own, recorded).pending).toEqual([]);
        }
      },
    ),
    { numRuns: 3000 },
  );
  expect(undone).toBeGreaterThan(500);
});
