import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import TotalReporter from "./reporter.js";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    // Services that tests generated have tests of their own.
    exclude: ["test/.services/**"],
    globalSetup: ["test/support/global-setup.ts"],
    // Processes, because tests start services, open databases and change folders.
    pool: "forks",
    maxWorkers: 2,
    // The slow ones generate, compile and start whole services.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["default", new TotalReporter()],
  },
});
