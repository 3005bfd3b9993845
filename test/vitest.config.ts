import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import TotalReporter from "./reporter.js";
import { COMPILED } from "./support/compiled-module.js";

/** The tests of a running service are run on every database that it can have. */
const CONTRACT = "test/contract/**/*.test.ts";

/** The document, what a browser shows of it, and names do not depend on the database: looked at once. So is a second service under hostile data. */
const ON_ONE_DATABASE = [
  "test/contract/docs-page.test.ts",
  "test/contract/openapi-*.test.ts",
  "test/contract/hostile-shop.test.ts",
  "test/contract/nam-*.test.ts",
];

/** `npm run test:long`: minutes each, and what they hold changes seldom. */
const LONG = [
  "test/attacks/postgres-readers.test.ts",
  "test/database/laws-of-versions.test.ts",
  "test/database/migration-faults.test.ts",
  "test/database/versions-of-a-shop.test.ts",
  "test/mutants/version-laws.test.ts",
];
/** Try more cases there than in `npm test`. */
const MORE_CASES = [
  "test/contract/docs-page.test.ts",
  "test/contract/openapi-truth.test.ts",
  "test/database/verify.test.ts",
  "test/golden/laws.test.ts",
  "test/mutants/mutants.test.ts",
  "test/services/own-tests.test.ts",
  "test/types/names.test.ts",
  "test/types/random-versions.test.ts",
];
const isLong = process.env["TEST_LONG"] === "true";

const COMMON = {
  root: fileURLToPath(new URL("..", import.meta.url)),
  // Processes, because tests start services, open databases and change folders.
  pool: "forks",
  // The slow ones generate, compile and start whole services.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Compiled services are Node's to load: they have nothing to transform.
  server: { deps: { external: [COMPILED] } },
  // What is waited for comes late on a busy machine.
  expect: { poll: { timeout: 10_000 } },
} satisfies TestProjectInlineConfiguration["test"];

function contract(database: string, exclude: readonly string[]): TestProjectInlineConfiguration {
  const env = { TEST_DATABASE: database };
  const name = `contract-${database}`;
  return { test: { ...COMMON, name, env, include: [CONTRACT], exclude: [...exclude] } };
}

export default defineConfig({
  test: {
    ...COMMON,
    globalSetup: ["test/support/global-setup.ts"],
    maxWorkers: 2,
    reporters: ["default", new TotalReporter()],
    projects: [
      {
        test: {
          ...COMMON,
          name: "generator",
          include: isLong ? [...LONG, ...MORE_CASES] : ["test/**/*.test.ts"],
          // Services that tests generated have tests of their own.
          exclude: ["test/.services/**", ...(isLong ? [] : [CONTRACT, ...LONG])],
        },
      },
      ...(isLong ? [] : [contract("sqlite", []), contract("postgres", ON_ONE_DATABASE)]),
    ],
  },
});
