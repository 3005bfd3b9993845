import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mutate } from "../../mutants/mutated-services.js";
import { wrongProject } from "../../support/diagnostic-pages.js";
import { writeTree } from "../../support/read-tree.js";
import { serviceFolder } from "../../support/service-folders.js";
import { ServiceHost } from "../../support/service-host.js";
import { MUTANTS } from "../../mutants/mutants.js";
import { securedCallers } from "../../mutants/verifying.js";
import { generator, ownProcess, type Run } from "../../cli/command-line.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const CONTRACT = resolve("fixtures/contract");
const SECURED = resolve("fixtures/secured");
const host = new ServiceHost();
const broken = new ServiceHost();
let url = "";
let brokenUrl = "";

beforeAll(async () => {
  url = await host.start(serviceFolder("contract"));
  const mutant = MUTANTS.find(({ rule }) => rule === "COL-1");
  if (mutant === undefined) throw new Error("there is no mutant of COL-1");
  brokenUrl = await broken.start(await mutate(mutant, "for-the-command"));
});
afterAll(() => [host, broken].forEach((one) => one.stop()));

async function verify(parameters: readonly string[], cwd = CONTRACT): Promise<Run> {
  return generator(["verify", ...parameters], { cwd });
}

test("a line for each rule, and the counts", async () => {
  // A process of its own ends by itself.
  const run = await ownProcess(["verify", url, "--rule", "REP-1", "aut-1"], { cwd: CONTRACT });
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out.replace(/\d+ requests/, "N requests")).toBe(
    "PASS  REP-1   Times are UTC strings in one form  (logs could not be deleted again (see --leave))\n" +
      "SKIP  AUT-1   A caller proves itself with a bearer token  (the service has no authentication)\n" +
      "\n1 passed, 0 failed, 1 skipped; N requests.\n",
  );
});

test.each([
  { name: "before the flags", parameters: () => [url, "--rule", "REP-1", "COL-1"] },
  { name: "behind the rules", parameters: () => ["--rule", "REP-1", "COL-1", url] },
  {
    name: "behind the tokens",
    parameters: () => ["--rule", "REP-1", "COL-1", "--token", "a.b.c", url],
  },
  { name: "between flags", parameters: () => ["--rule", "REP-1", "COL-1", url, "--leave"] },
])("the URL may stand $name", async ({ parameters }) => {
  const run = await verify(parameters());
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out).toContain("\n2 passed, 0 failed, 0 skipped; ");
});

test("values of --samples are sent, and mistakes in the file are told with their place", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "samples.yaml");
  writeFileSync(file, "widgets: { name: Sampled }\n");
  const right = await verify([url, "--samples", file, "--rule", "QRY-1"]);
  expect(right).toMatchObject({ exitCode: 0, err: "" });
  expect(right.out).toContain("with samples only: widgets.name");
  writeFileSync(file, '{ "widgets": { "nam": "Sampled" } }\n');
  const wrong = await verify([url, "--samples", file]);
  expect(wrong).toMatchObject({ exitCode: 1, out: "" });
  expect(wrong.err).toContain("samples.yaml:1:16  error  SCH-391");
  const json = JSON.parse((await verify([url, "--samples", file, "--json"])).out) as unknown;
  expect(json).toMatchObject({ ok: false, diagnostics: [{ code: "SCH-391" }] });
});

test("samples can be a module, as test/samples.ts of a service is", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "samples.mjs");
  writeFileSync(
    file,
    "export const samples = { widgets: (make, turn) => ({ name: `Made ${turn}` }) };\n",
  );
  const right = await verify([url, "--samples", file, "--rule", "QRY-1"]);
  expect(right).toMatchObject({ exitCode: 0, err: "" });
  expect(right.out).toContain("with samples only: widgets.name");
  const other = join(folder, "other.mjs");
  writeFileSync(other, "export const sample = {};\n");
  const wrong = await verify([url, "--samples", other]);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.err).toContain(`${other} does not export an object "samples" (--samples).`);
  const missing = await verify([url, "--samples", join(folder, "none.ts")]);
  expect(missing.exitCode).toBe(2);
  expect(missing.err).toContain("none.ts could not be loaded (--samples)");
});

test("a failure shows the request, what was expected, and what came", async () => {
  const run = await verify([brokenUrl, "--rule", "COL-1"]);
  expect(run).toMatchObject({ exitCode: 1, err: "" });
  expect(run.out).toMatch(/^FAIL {2}COL-1 {3}A collection is an object with results/);
  expect(run.out).toContain(
    "\n  GET /api/v1/badges\n    expected  a list of results\n    got       200 {",
  );
  expect(run.out).toMatch(/0 passed, 1 failed, 0 skipped; \d+ requests\.\n$/);
});

test("--json prints the same values", async () => {
  const good = await verify([url, "--rule", "COL-1", "--json"]);
  expect(good).toMatchObject({ exitCode: 0, err: "" });
  expect(JSON.parse(good.out)).toMatchObject({
    ok: true,
    verdicts: [{ rule: "COL-1", outcome: "pass", failures: [] }],
    left: [],
    untried: [],
    diagnostics: [],
  });
  const bad = await verify([brokenUrl, "--rule", "COL-1", "--json"]);
  expect(bad.exitCode).toBe(1);
  expect(JSON.parse(bad.out)).toMatchObject({
    ok: false,
    verdicts: [
      {
        outcome: "fail",
        failures: expect.arrayContaining([
          {
            request: { method: "GET", path: "/api/v1/badges", headers: {}, body: "" },
            expected: "a list of results",
            got: expect.stringContaining("200 {"),
          },
        ]),
      },
    ],
  });
});

test.each<{ name: string; parameters: () => string[]; cwd?: string; told: string }>([
  {
    name: "where nothing answers",
    parameters: () => ["http://127.0.0.1:1"],
    told: "No service answers at http://127.0.0.1:1/ (connect ECONNREFUSED 127.0.0.1:1). Is it running?",
  },
  {
    name: "with the base path in the URL",
    parameters: () => [`${url}/api`],
    told: "Give the URL of the service without its base path.",
  },
  {
    name: "of another schema",
    parameters: () => [url],
    cwd: resolve("fixtures/small-limits"),
    told: "was made from another schema: it does not have any resource of small-limits.",
  },
  {
    name: "with samples that are not there",
    parameters: () => [url, "--samples", "no-such-file.yaml"],
    told: "There is no file no-such-file.yaml (--samples).",
  },
  {
    name: "with a rule in place of the URL",
    parameters: () => ["--rule", "LIM-2"],
    told: "missing required argument 'url'",
  },
  { name: "that is no URL", parameters: () => ["localhost"], told: "is not the URL of a service" },
  {
    name: "by a rule that there is not",
    parameters: () => [url, "--rule", "REP-99"],
    told: 'There is no rule "REP-99". Did you mean "REP-1"?',
  },
  {
    name: "by a rule that can not be seen",
    parameters: () => [url, "--rule", "NAM-3"],
    told: "Nothing of NAM-3 can be seen from outside",
  },
  {
    name: "that wants a token, without one",
    parameters: () => [url],
    cwd: SECURED,
    told: "give one with --token, or in GENERATOR_TOKEN",
  },
])(
  "a service $name: one message, and exit code 2",
  async ({ parameters, cwd = CONTRACT, told }) => {
    const run = await verify(parameters(), cwd);
    expect(run).toMatchObject({ exitCode: 2, out: "" });
    expect(run.err).toContain(told);
    expect(run.err).not.toMatch(/^ +at /m);
  },
);

test("mistakes in the YAML are told as validate tells them", async () => {
  const folder = temporaryFolder();
  writeTree(folder, wrongProject("NAM-4"));
  const run = await verify([url], folder);
  expect(run.exitCode).toBe(1);
  expect(run.err).toContain("NAM-4");
});

test("--help says what it does to the service, and its exit codes", async () => {
  const run = await verify(["--help"], join(CONTRACT, ".."));
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  for (const words of ["Usage: generator verify", "deletes them again", "Exit codes"]) {
    expect(run.out).toContain(words);
  }
});

test("Ctrl-C ends it early, and what was made is deleted all the same", async () => {
  const command = [resolve("bin/generator.js"), "verify", url];
  const child = spawn(process.execPath, command, { cwd: CONTRACT });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    // The rules that make entities have begun.
    if (out.includes("IDN-1") && !child.killed) child.kill("SIGINT");
  });
  const [exitCode] = (await once(child, "close")) as [number];
  expect(exitCode).toBe(130);
  expect(out).toContain("Stopped before the end.");
  expect(out).not.toContain("Left behind");
  const widgets = (await (await fetch(`${url}/api/v1/widgets`)).json()) as { itemCount: number };
  expect(widgets.itemCount).toBe(0);
});

test("tokens come from --token or GENERATOR_TOKEN, and are not repeated", async () => {
  const { tokens, authentication } = await securedCallers();
  const secured = await broken.start(serviceFolder("secured"), { authentication });
  const rules = ["--rule", "AUT-1", "OPS-1"];
  const given = await verify([secured, ...rules, "--token", ...tokens.slice(0, 2)], SECURED);
  expect(given).toMatchObject({ exitCode: 0, err: "" });
  expect(given.out).toContain("2 passed, 0 failed, 0 skipped");
});

test("a token that the service refuses is one line, and exit code 2", async () => {
  const { tokens, authentication } = await securedCallers();
  const secured = await broken.start(serviceFolder("secured"), { authentication });
  const env = { GENERATOR_TOKEN: "not.a.token" };
  const refused = await ownProcess(["verify", secured], { cwd: SECURED, env });
  expect(refused).toMatchObject({ exitCode: 2, out: "" });
  expect(refused.err).toMatch(/^[^\n]*refuses the token \(401\)\. [^\n]+\n$/);
  expect(refused.err).not.toContain("not.a.token");
  const given = ["--token", ...tokens.slice(0, 1), "not.a.token"];
  const one = await verify([secured, ...given], SECURED);
  expect(one).toMatchObject({ exitCode: 2, out: "" });
  expect(one.err).toContain("refuses token 2 of 2 (401)");
});
