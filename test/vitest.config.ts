import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import TotalReporter from "./reporter.js";

/** The tests of a running service are run on every database that it can have. */
const CONTRACT = "test/contract/**/*.test.ts";

/** What a browser shows does not depend on the database: looked at once. */
const ON_ONE_DATABASE = ["test/contract/docs-page.test.ts"];

const COMMON = {
  root: fileURLToPath(new URL("..", import.meta.url)),
  // Processes, because tests start services, open databases and change folders.
  pool: "forks",
  // The slow ones generate, compile and start whole services.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // What is waited for comes late on a busy machine.
  expect: { poll: { timeout: 10_000 } },
} as const;

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
          include: ["test/**/*.test.ts"],
          // Services that tests generated have tests of their own.
          exclude: ["test/.services/**", CONTRACT],
        },
      },
      contract("sqlite", []),
      contract("postgres", ON_ONE_DATABASE),
    ],
  },
});
