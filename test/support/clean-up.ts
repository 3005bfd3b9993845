import { afterAll } from "vitest";
import { removeFolders } from "./temporary-folder.js";

// Runs for each file of tests, also where files share a process and its modules.
afterAll(removeFolders);
