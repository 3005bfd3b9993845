import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { wrongProject } from "../support/diagnostic-pages.js";
import { writeTree } from "../support/read-tree.js";
import { copyOf, generator, jsonOf, minimalProject, ownProcess } from "./command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test.each(["--version", "-V"])("%s prints the version of the package", async (flag) => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(await generator([flag])).toEqual({ exitCode: 0, out: `${version}\n`, err: "" });
});

test.each(["generate", "check", "validate", "init", "rules", "explain"])(
  "%s has a help",
  async (command) => {
    const run = await generator([command, "--help"]);
    expect(run).toMatchObject({ exitCode: 0, err: "" });
    expect(run.out).toContain(`Usage: generator ${command}`);
  },
);

test("the name of a file is one line, and controls no terminal", async () => {
  const project = copyOf(await minimalProject());
  const name = "notes\u001b]0;title\u0007\nPASS.yaml";
  writeFileSync(join(project, "resources/v1", name), "name: notes\n");
  const { exitCode, out, err } = await generator(["validate"], { cwd: project });
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
  expect(err).toContain("resources/v1/notes\\u001b]0;title\\u0007\\u000aPASS.yaml:1:1");
  expect(err).not.toMatch(/[^\P{Cc}\n]/u);
  // Programs read the name as it is.
  const { diagnostics } = jsonOf(await generator(["validate", "--json"], { cwd: project }));
  expect(diagnostics[0]?.file).toBe(`resources/v1/${name}`);
});

test("the help names the commands and the exit codes", async () => {
  const { out, exitCode } = await generator(["--help"]);
  expect(exitCode).toBe(0);
  for (const word of ["init", "generate", "check", "validate", "rules", "explain", "Exit codes"]) {
    expect(out).toContain(word);
  }
});

test.each([
  { parameters: [] },
  { parameters: ["nonsense"] },
  { parameters: ["generate", "--nonsense"] },
  { parameters: ["generate", "a", "b"] },
  { parameters: ["generate", "a", "--", "b"] },
  { parameters: ["generate", ""] },
  { parameters: ["generate", "--json", ""] },
  { parameters: ["check", "--force"] },
  { parameters: ["check", "nowhere"] },
  { parameters: ["generate", "package.json"] },
  { parameters: ["generate", `a${"b".repeat(5000)}`] },
  { parameters: ["init"] },
  { parameters: ["init", "--example"] },
])("$parameters is wrong usage: one clear message, and exit code 2", async ({ parameters }) => {
  const run = await generator(parameters);
  expect(run).toMatchObject({ exitCode: 2, out: "" });
  expect(run.err).not.toMatch(/^ +at /m);
  expect(run.err.length).toBeGreaterThan(10);
});

test("a folder without service.yaml names the one below it that has it", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "helpdesk"));
  writeFileSync(join(folder, "helpdesk/service.yaml"), "service: helpdesk\n");
  for (const command of ["generate", "check", "validate"]) {
    const run = await generator([command], { cwd: folder });
    expect(run.exitCode).toBe(1);
    expect(run.err).toContain("helpdesk");
  }
  expect(jsonOf(await generator(["check", "--json"], { cwd: folder }))).toMatchObject({
    ok: false,
    diagnostics: [{ code: "SCH-28", file: "service.yaml", line: 1 }],
  });
});

test("a bug of ours is exit code 3, with where it happened", async () => {
  const folder = join(temporaryFolder(), "shop");
  const broken = "data:text/javascript,Object.freeze=()=>{throw new Error('broken on purpose')}";
  const env = { NODE_OPTIONS: `--import "${broken.replaceAll(" ", "%20")}"` };
  const run = await ownProcess(["init", folder], { env });
  expect(run).toMatchObject({ exitCode: 3, out: "" });
  expect(run.err).toMatch(/broken on purpose\n +at [^]*please report it/);
});

test("nothing is coloured where no terminal is", async () => {
  const run = await ownProcess(["check"], { cwd: temporaryFolder(), env: { FORCE_COLOR: "" } });
  expect(run.err).not.toContain("\u001b");
});

test("a reader that goes away ends the run quietly", async () => {
  const err = await new Promise<string>((done) => {
    const child = spawn(process.execPath, [resolve("bin/generator.js"), "--help"]);
    let text = "";
    child.stdout.destroy();
    child.stderr.on("data", (part: Buffer) => (text += part.toString()));
    child.on("close", () => done(text));
  });
  expect(err).toBe("");
});

test("50 diagnostics are printed, then how many more there are; --all and --json print all", async () => {
  const folder = temporaryFolder();
  writeTree(folder, wrongProject("NAM-2"));
  const names = Array.from({ length: 162 }, (_, index) => `  wrong_name${index}: string\n`);
  writeFileSync(
    join(folder, "resources/v1/tickets.yaml"),
    `resource: tickets\nentity: ticket\nproperties:\n${names.join("")}`,
  );
  const count = ({ err }: { err: string }): number => err.match(/ {2}error {2}NAM-2/g)?.length ?? 0;
  for (const command of ["generate", "check", "validate"]) {
    const capped = await generator([command, folder]);
    expect(count(capped), command).toBe(50);
    expect(capped.err).toContain("\n\n... and 112 more; --all shows them\n\n162 errors.");
    const all = await generator([command, folder, "--all"]);
    expect(count(all), command).toBe(162);
    expect(all.err).not.toContain("--all");
  }
  expect(jsonOf(await generator(["validate", folder, "--json"])).diagnostics.length).toBe(162);
});
