import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { atLeast, atMost, type Attack } from "../support/attack.js";

/** What vitest reports as JSON, as far as it is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

const VITEST = ["run", "--config", "test/vitest.config.ts", "--root", ".", "--reporter=json"];

/** The typed client and servers that answer with anything: the tests of the client, which is what they attack. */
export const servers: Attack = {
  name: "servers",
  databases: ["sqlite"],
  async run() {
    const file = "test/clients/hostile-answers.test.ts";
    const program = join("node_modules", "vitest", "vitest.mjs");
    const { stdout } = spawnSync(process.execPath, [program, ...VITEST, file], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    const report = JSON.parse(stdout.slice(stdout.indexOf('{"num'))) as Report;
    return [
      atLeast(
        "answers that the client resolves or refuses as its types say",
        report.numPassedTests,
        40,
      ),
      atMost("  others", report.numFailedTests, 0),
    ];
  },
};
