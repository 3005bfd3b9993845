import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { serviceFolder } from "../support/service-folders.js";
import { ownTests } from "../support/own-tests.js";
import { renderValid, type Texts } from "../support/render-files.js";

/** The blocks of docs/custom-code.md that say in their first line which file they are. */
const BLOCKS = blocksOf(readFileSync("src/runtime/docs/custom-code.md", "utf8"));
const NAME = "types/custom-code/stand";
const folder = serviceFolder(NAME);

function blocksOf(page: string): Texts {
  const blocks = page.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (\S+\.(?:ts|yaml))\n(.*?)^```$/gms);
  return Object.fromEntries([...blocks].map(([, path = "", text = ""]) => [path, text]));
}

async function run(parameters: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const { PATH } = process.env;
  const env = { PATH, MAIL_URL: "http://127.0.0.1:1/", ...variables };
  const all = ["--import", "tsx", ...parameters];
  return promisify(execFile)(process.execPath, all, { cwd: folder, env, maxBuffer: 2 ** 26 });
}

test("the tasks of docs/custom-code.md compile", async () => {
  const schemas = Object.entries(BLOCKS).filter(([path]) => path.endsWith(".yaml"));
  expect(schemas).toHaveLength(5);
  const project = await renderValid(Object.fromEntries(schemas));
  const stand = await wholeService(project, BLOCKS);
  // The test that a new service has is the user's, too.
  expect(await compilerErrors("custom-code", { stand })).toBe("");
});

test("they do what the page says, in their own tests", async () => {
  const names = ["orders", "order-rules", "service"];
  const files = names.map((name) => `test/custom/${name}.test.ts`);
  for (const variables of [{}, { TEST_DATABASE_URL: inject("postgresUrl") }]) {
    const { stdout } = await run(["--test", "--test-reporter=tap", ...files], variables);
    expect(stdout).toMatch(/^# pass 9$/m);
  }
});

test("they leave the generated tests green, with the samples of the page", async () => {
  const { passed, said } = await ownTests(NAME);
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(30);
});

test("a seed is given something else than what provide makes", async () => {
  const database = { DATABASE_URL: `sqlite:${join(folder, "data/seed.db")}` };
  const { stdout } = await run(["tools/seed.ts"], database);
  expect(stdout).toContain("no mail to ada@example.com");
});

test("the job runs, and a second run finds what is there", async () => {
  const database = { DATABASE_URL: `sqlite:${join(folder, "data/job.db")}` };
  for (const _ of [1, 2]) {
    const { stdout } = await run(["tools/import.ts"], database);
    expect(stdout).toContain("done");
    expect(stdout).not.toContain("has stopped");
  }
  const wrong = run(["tools/import.ts"], { ...database, MAIL_URL: "" });
  await expect(wrong).rejects.toThrow("MAIL_URL must be set, to a URL.");
  const text = readFileSync(join(folder, "tools/import.ts"), "utf8");
  writeFileSync(join(folder, "tools/refused.ts"), text.replace('"Postcard", ', '"", '));
  const line = text.split("\n").findIndex((one) => one.includes("products.create")) + 1;
  const refused = run(["tools/refused.ts"], database);
  await expect(refused).rejects.toThrow(
    new RegExp(`services.products.create breaks a rule: name .*\\n.*tools/refused.ts:${line}:`),
  );
});
