import { afterAll, afterEach } from "vitest";
import { restoreHooks } from "./custom-code.js";
import { killProcesses } from "./service-process.js";

// Runs for each file of tests, also where files share a process and its modules.
afterEach(restoreHooks);
afterAll(killProcesses);
