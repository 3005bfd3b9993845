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
    [...["idn-3-*", "rep-2-*"], ...["rep-9-own-code-keeps-the-rules"]],
  "access, states and hooks are decided on entities; those that lock or search run on both": [
    ...["aut-1-*", "aut-2-what-refusals-tell", "aut-3-*", "hooks-context", "hooks"],
    ...["own-code-bounds", "own-code-lists", "own-code-rules"],
    ...["own-code-throws", "sta-2-*"],
  ],
};

/** What `npm test` leaves to `npm run test:rest`, by the reason. A new file is in `npm test` until it is listed here. */
export const LEFT: Readonly<Record<string, readonly string[]>> = {
  "faults seeded into services, each found by verify: they try the tests, not the code": [
    ...[1, 2, 3, 4].map((part) => `mutants/seeded-faults-${part}`),
  ],
  "verify on further services; services.test tries every rule, right-services the kinds of schemas":
    [
      ...["database/verify", "database/samples-of-states", "services/custom-code"],
      ...["cookbook", "designs", "samples", "unique-lists"].map(
        (name) => `services/verify/${name}`,
      ),
    ],
  "overload, damaged files, outages and time: what a service does where something is wrong around it":
    [
      ...["bytes", "docs", "issuer-keys", "log-of-an-outage", "log-output", "short"],
      ...["sqlite-abandoned-lists", "sqlite-files", "sqlite-lock", "sqlite-long-statements"],
    ].map((name) => `attacks/${name}`),
  "releases side by side, and further edits of what is stored; edits and migrations try each kind once":
    [
      ...["converted-rows", "corrected-migrations", "deployed-kinds", "merged-branches"],
      ...["migrated-services", "older-releases", "random-deploys", "read-checks"],
      ...["restored-members", "restored-resources", "schema-walks", "server-faults"],
      ...["shown-bytes", "storage-changes", "taken-back", "two-instances", "webhooks"],
    ].map((name) => `database/${name}`),
  "clients that others make, packages and browsers; operations tries every call": [
    ...["clients", "in-browser", "killed-service", "package"].map((name) => `clients/${name}`),
    "tutorial/tutorial-change",
  ],
  "the compiler on many names; types.test compiles each kind of file": [
    ...["made-names", "names", "rename-code"].map((name) => `types/${name}`),
  ],
  "edits in many orders, held against other programs; laws and branches try the first of them": [
    ...["golden/independent-differ", "golden/incremental", "golden/crash", "cli/merge"],
  ],
};

/** The same of what runs on PostgreSQL as well; what stays there has transactions, locks or unique values. */
export const LEFT_ON_POSTGRES: Readonly<Record<string, readonly string[]>> = {
  "a process of its own, which is stopped, killed or started; SQLite tries the same": [
    ...[
      "durability",
      "graceful-stop",
      "safe-start",
      "shop-seed",
      "ops-12-keys-outlive-the-process",
    ],
  ],
  "answers that same-answers compares on both databases": [
    ...["aut-2-conditions-of-code", "chd-1-*", "err-3-*", "hostile"],
    ...[
      "numbers-*",
      "ops-11-actions-refer",
      "rep-4-*",
      "rep-7-*",
      "rep-9-own-code-refers-everywhere",
    ],
    ...["ver-2-*"],
  ],
};

/** `npm run test:long`: minutes each, and what they hold changes seldom. */
const LONG = [
  "test/attacks/postgres-readers.test.ts",
  "test/database/laws-of-versions.test.ts",
  "test/database/migration-faults.test.ts",
  "test/database/versions-of-a-shop.test.ts",
  "test/mutants/version-laws.test.ts",
  "test/types/many-resources.test.ts",
];
/** Try more cases there than in `npm test`. */
export const MORE_CASES = [
  "test/contract/docs-page.test.ts",
  "test/contract/openapi-truth.test.ts",
  "test/database/both-versions.test.ts",
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
/** `first` is `npm test`, `rest` what it leaves; without it, the files that are named are tried, or all. */
const part = process.env["TEST_PART"];
const left = Object.values(LEFT)
  .flat()
  .map((name) => `test/${name}.test.ts`);
const leftOnPostgres = Object.values(LEFT_ON_POSTGRES)
  .flat()
  .map((name) => `test/contract/${name}.test.ts`);

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
  exclude: ["test/.services/**", ...(isLong ? [] : LONG), ...(part === "first" ? left : [])],
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

/** Of some folders and files, those that this run tries. */
function tried(patterns: readonly string[]): string[] {
  const begins = patterns.map((pattern) => pattern.replace(/\*\*.*$/, ""));
  const isIn = (path: string): boolean => begins.some((begin) => path.startsWith(begin));
  return part === "rest" ? left.filter(isIn) : [...patterns];
}

const PROJECTS = [
  project("services", {
    ...SERVICES_IN_PROCESS,
    include: tried(SERVICES),
    exclude: [...COMMON.exclude, ...ALONE],
    globalSetup: [SHARED_SERVICES, POSTGRES],
  }),
  project("generator", {
    ...SHARED_PROCESS,
    include: tried(["test/**/*.test.ts"]),
    exclude: [...COMMON.exclude, ...UNIT, ...SERVICES, CONTRACT],
  }),
  project("alone", {
    include: tried(ALONE),
    setupFiles: [CLEAN_UP, CLEAN_UP_SERVICES],
    globalSetup: [SHARED_SERVICES, POSTGRES],
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  }),
  project("contract-sqlite", {
    ...SERVICES_IN_PROCESS,
    include: tried([CONTRACT]),
    env: { TEST_DATABASE: "sqlite" },
    globalSetup: [SHARED_SERVICES],
  }),
  project("contract-postgres", {
    ...SERVICES_IN_PROCESS,
    include: part === "rest" ? leftOnPostgres : [CONTRACT],
    exclude: [
      ...Object.values(ON_SQLITE_ALONE)
        .flat()
        .map((name) => `test/contract/${name}.test.ts`),
      ...(part === "first" ? leftOnPostgres : []),
    ],
    env: { TEST_DATABASE: "postgres" },
    globalSetup: [SHARED_SERVICES, POSTGRES],
  }),
  project("unit", { ...SHARED_PROCESS, include: tried(UNIT) }),
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
      : PROJECTS.filter(({ test }) => test?.include?.length !== 0),
  },
});
