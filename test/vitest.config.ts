import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import TotalReporter from "./reporter.js";
import { COMPILED } from "./support/compiled-module.js";

/** Tests of functions, which need no service and leave nothing behind. */
const UNIT = ["test/unit/**/*.test.ts", "test/architecture/**/*.test.ts"];

/** What these bound (memory, refusals, times) holds while nothing else is busy: they run after all others. */
const ALONE = ["bytes", "docs", "short"].map((name) => `test/attacks/${name}.test.ts`);

/** Tests that need the services of test/.services, or a PostgreSQL server. */
const SERVICES = ["attacks", "clients", "database", "mutants", "random", "rules", "services"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** The rules on a running service: all of them on SQLite, on PostgreSQL what can depend on the database. */
const CONTRACT = "test/contract/**/*.test.ts";

/** Tests of the contract that run on SQLite alone, by the reason. */
export const ON_SQLITE_ALONE: Readonly<Record<string, readonly string[]>> = {
  "documents, pages and names are the same for every database": [
    ...["docs-page", "names-are-served-as-they-are-written", "openapi-*"],
  ],
  "the answer is given before the database is asked": [
    ...["cors", "err-2-*", "err-4-*", "lim-1-*", "lim-2-*"],
    ...["own-app*", "rep-6-*", "rep-8-*"],
    ...["ver-1-*", "ver-4-*"],
  ],
  "entities become JSON in the same way, wherever they were read; same-answers compares the bytes":
    [...["idn-3-*", "rep-2-*", "rep-5-*"], ...["rep-9-own-code-keeps-the-rules"]],
  "access, states and hooks are decided on entities; those that lock or search run on both": [
    ...["aut-1-*", "aut-2-what-refusals-tell", "aut-3-*", "hooks-context", "hooks"],
    ...["own-code-bounds", "own-code-lists", "own-code-rules"],
    ...["own-code-throws", "sta-2-*"],
  ],
};

/** `npm run test:long`: minutes each, and what they hold changes seldom. */
const LONG = [
  "test/attacks/postgres-readers.test.ts",
  "test/database/laws-of-versions.test.ts",
  "test/database/migration-faults.test.ts",
  "test/database/versions-of-a-shop.test.ts",
  "test/mutants/version-laws.test.ts",
];
/** Try more cases there than in `npm test`. */
export const MORE_CASES = [
  "test/contract/docs-page.test.ts",
  "test/contract/openapi-truth.test.ts",
  "test/database/converted-rows.test.ts",
  "test/database/deployed-kinds.test.ts",
  "test/database/events.test.ts",
  "test/database/merged-branches.test.ts",
  "test/database/random-deploys.test.ts",
  "test/database/samples-of-states.test.ts",
  "test/database/verify.test.ts",
  "test/golden/compatibility.test.ts",
  "test/golden/incremental.test.ts",
  "test/golden/independent-differ.test.ts",
  "test/golden/json-text.test.ts",
  "test/golden/laws.test.ts",
  "test/golden/text-safety.test.ts",
  "test/mutants/mutants.test.ts",
  "test/random/documents.test.ts",
  "test/services/own-tests.test.ts",
  "test/services/verify/cookbook.test.ts",
  "test/services/verify/designs.test.ts",
  "test/services/verify/right-services.test.ts",
  "test/services/verify/roles-by-level.test.ts",
  "test/services/verify/samples.test.ts",
  "test/services/verify/services.test.ts",
  "test/services/verify/unique-lists.test.ts",
  "test/types/made-names.test.ts",
  "test/types/names.test.ts",
  "test/unit/apply/foreign-journal.test.ts",
  "test/unit/apply/foreign-lock.test.ts",
  "test/unit/apply/hand-written.test.ts",
  "test/unit/kinds/agreement.test.ts",
  "test/unit/migrations/fold.test.ts",
  "test/unit/storage/fingerprint.test.ts",
  "test/unit/validate/damaged-lines.test.ts",
  "test/types/random-versions.test.ts",
];
const isLong = process.env["TEST_LONG"] === "true";

/** After each file of tests; the second of those that start services. */
const CLEAN_UP = "test/support/clean-up.ts";
const CLEAN_UP_SERVICES = "test/contract/support/clean-up.ts";

const COMMON = {
  root: fileURLToPath(new URL("..", import.meta.url)),
  // Processes, because tests start services, open databases and change folders.
  pool: "forks",
  // The slow ones generate, compile and start whole services.
  testTimeout: 400_000,
  hookTimeout: 400_000,
  // Compiled services are Node's to load: they have nothing to transform.
  server: { deps: { external: [COMPILED] } },
  // What is waited for comes late on a busy machine.
  expect: { poll: { timeout: 10_000 } },
  setupFiles: [CLEAN_UP],
  // Services that tests generated have tests of their own.
  exclude: ["test/.services/**", ...(isLong ? [] : LONG)],
} satisfies TestProjectInlineConfiguration["test"];

const SHARED_SERVICES = "test/support/services-setup.ts";
const POSTGRES = "test/support/postgres-setup.ts";

function project(
  name: string,
  options: NonNullable<TestProjectInlineConfiguration["test"]>,
): TestProjectInlineConfiguration {
  return { test: { ...COMMON, name, ...options } };
}

/** Only the first files of a process load the service and what tests it. */
const SHARED_PROCESS = { isolate: false };
const SERVICES_IN_PROCESS = { ...SHARED_PROCESS, setupFiles: [CLEAN_UP, CLEAN_UP_SERVICES] };

const PROJECTS = [
  project("services", {
    ...SERVICES_IN_PROCESS,
    include: SERVICES,
    exclude: [...COMMON.exclude, ...ALONE],
    globalSetup: [SHARED_SERVICES, POSTGRES],
  }),
  project("generator", {
    ...SHARED_PROCESS,
    include: ["test/**/*.test.ts"],
    exclude: [...COMMON.exclude, ...UNIT, ...SERVICES, CONTRACT],
  }),
  project("alone", {
    include: ALONE,
    setupFiles: [CLEAN_UP, CLEAN_UP_SERVICES],
    globalSetup: [SHARED_SERVICES, POSTGRES],
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  }),
  project("contract-sqlite", {
    ...SERVICES_IN_PROCESS,
    include: [CONTRACT],
    env: { TEST_DATABASE: "sqlite" },
    globalSetup: [SHARED_SERVICES],
  }),
  project("contract-postgres", {
    ...SERVICES_IN_PROCESS,
    include: [CONTRACT],
    exclude: Object.values(ON_SQLITE_ALONE)
      .flat()
      .map((name) => `test/contract/${name}.test.ts`),
    env: { TEST_DATABASE: "postgres" },
    globalSetup: [SHARED_SERVICES, POSTGRES],
  }),
  project("unit", { ...SHARED_PROCESS, include: UNIT }),
];

export default defineConfig({
  test: {
    ...COMMON,
    // One more than the cores of the smallest machine: tests of stops, limits and time-outs mostly wait.
    maxWorkers: 3,
    reporters: ["default", new TotalReporter()],
    projects: isLong
      ? [
          project("long", {
            setupFiles: [CLEAN_UP, CLEAN_UP_SERVICES],
            include: [...LONG, ...MORE_CASES],
            globalSetup: [SHARED_SERVICES, POSTGRES],
          }),
        ]
      : PROJECTS,
  },
});
