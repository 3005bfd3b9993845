import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";

const FOLDER = serviceFolder("versions");
const LAWS = readdirSync(join(FOLDER, "test/generated"))
  .filter((name) => /^v1-to-v2-.*\.test\.ts$/.test(name))
  .map((name) => `test/generated/${name}`);

test.each(["SQLite", "PostgreSQL"])(
  "on %s, the tests that a service has of its versions pass",
  { timeout: 600_000 },
  async (database) => {
    const url = database === "SQLite" ? "" : inject("postgresUrl");
    const parameters = ["--import", "tsx", "--test", "--test-reporter=tap", ...LAWS];
    const env = { ...process.env, TEST_DATABASE_URL: url };
    const output = await new Promise<string>((done) => {
      execFile(process.execPath, parameters, { cwd: FOLDER, env, maxBuffer: 2 ** 26 }, (_, out) =>
        done(out),
      );
    });
    expect(output).not.toMatch(/^not ok /m);
    const laws = [...output.matchAll(/^ *ok \d+ - VER-2: /gm)];
    // What each version shows of the other's, for each resource that differs.
    expect(laws.length).toBe(2 * LAWS.length);
    expect(LAWS.length).toBeGreaterThan(2);
  },
);
