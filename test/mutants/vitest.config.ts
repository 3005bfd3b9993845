import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The contract tests on services that stand already, seeded faults and all: see contract-mutants.ts. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/contract/**/*.test.ts"],
    env: { TEST_DATABASE: "sqlite" },
    pool: "forks",
    maxWorkers: 1,
    bail: 1,
    testTimeout: 60_000,
  },
});
