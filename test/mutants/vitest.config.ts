import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { COMPILED } from "../support/compiled-module.js";

/** The contract tests on services that stand already, seeded faults and all: see contract-mutants.ts. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/contract/**/*.test.ts"],
    env: { TEST_DATABASE: "sqlite" },
    pool: "forks",
    maxWorkers: 1,
    bail: 1,
    server: { deps: { external: [COMPILED] } },
    setupFiles: ["test/contract/support/clean-up.ts"],
    testTimeout: 60_000,
  },
});
