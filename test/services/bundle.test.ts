import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exampleFiles } from "../../src/commands/example-files.js";
import { COMPILERS, wholeService } from "../support/compiled-service.js";
import { SERVICES } from "../support/service-folders.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid, type Texts } from "../support/render-files.js";
import { ask } from "../unit/runtime/fixture/ask.js";
import { startProcess } from "../contract/support/service-process.js";

const MAIN = "dist/bundle/main.js";

/** The helpdesk, built by the two steps of `npm run build`. */
async function builtService(): Promise<string> {
  const schemas = exampleFiles("helpdesk", "helpdesk").map(({ path, text }) => [path, text ?? ""]);
  // Inside the repository, so that the packages are found.
  const folder = join(SERVICES, "bundled");
  const rendered = await renderValid(Object.fromEntries(schemas) as Texts);
  writeTree(folder, await wholeService(rendered));
  for (const parameters of [[COMPILERS.fast], ["--import", "tsx", "tools/bundle.ts"]]) {
    execFileSync(process.execPath, parameters, { cwd: folder });
  }
  return folder;
}

test("the bundle finds its migrations, its document, its database and the page, and stops", async () => {
  const cwd = await builtService();
  // Of .env, what the environment says nothing of holds.
  writeFileSync(
    join(cwd, ".env"),
    "# Copied from .env.example\nPORT=1\nDATABASE_URL=sqlite:./other.db",
  );
  const { child, ready, ended } = startProcess(cwd, {}, MAIN);
  const { port, url: base } = await ready;
  expect(port).not.toBe(1);
  for (const path of ["/readyz", "/api/v1/openapi.json", "/docs/static/swagger-ui.css"]) {
    expect({ path, status: (await ask(base, "GET", path)).status }).toEqual({ path, status: 200 });
  }
  const article = { reference: "PR-0012", title: "Paper", text: "It is kept in the cellar." };
  expect((await ask(base, "POST", "/api/v1/articles", { json: article })).status).toBe(201);
  child.kill("SIGTERM");
  const { code, output } = await ended;
  expect([code, output.stderr]).toEqual([0, ""]);
  expect(existsSync(join(cwd, "other.db"))).toBe(true);
});

test("the bundle of the command finds the migrations", () => {
  const cwd = join(SERVICES, "bundled");
  const env = { PATH: process.env["PATH"], DATABASE_URL: "sqlite:./migrated.db" };
  const run = (...flags: readonly string[]): string =>
    execFileSync(process.execPath, ["dist/bundle/migrate.js", ...flags], { cwd, env }).toString();
  expect(run()).toContain("Applied: 0001-initial.\n");
  expect(run("--status")).toBe("applied    0001-initial\n");
});

test("the bundle ignores later migrations with a warning, and refuses changed ones, until it is built again", async () => {
  const cwd = join(SERVICES, "bundled");
  const env = { PATH: process.env["PATH"], DATABASE_URL: "sqlite:./built.db" };
  const migrate = (...flags: readonly string[]) => {
    const parameters = ["dist/bundle/migrate.js", ...flags];
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd, env });
    // Without the line for each statement.
    return { status, text: `${stdout}${stderr}`.replaceAll(/^\S+ {2}\d+\/.*\n/gm, "") };
  };
  const later = join(cwd, "migrations/0002-later");
  mkdirSync(later);
  for (const dialect of ["sqlite", "postgres"])
    writeFileSync(join(later, `${dialect}.sql`), "DROP TABLE articles;\n");
  const ignored =
    'Made after this release was built, and ignored until "npm run build": 0002-later.\n';
  expect(migrate()).toEqual({ status: 0, text: `${ignored}Applied: 0001-initial.\n` });
  expect(migrate("--status").text).toBe(`${ignored}applied    0001-initial\n`);
  expect(migrate("--rehearse").text).toMatch(/^Made after .*\nThe database has all migrations/);

  const { child, ready, ended } = startProcess(cwd, { DATABASE_URL: env.DATABASE_URL }, MAIN);
  const { url: base } = await ready;
  expect((await ask(base, "GET", "/api/v1/articles")).status).toBe(200);
  child.kill("SIGTERM");
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output.stdout).toMatch(/"migrations":\["0002-later"\].*are ignored/);

  const script = join(cwd, "migrations/0001-initial/sqlite.sql");
  const text = readFileSync(script, "utf8");
  const refused = {
    status: 1,
    text: expect.stringContaining("is not the one that this release") as unknown,
  };
  for (const changed of [`${text}\n-- more\n`, null]) {
    if (changed === null) rmSync(script);
    else writeFileSync(script, changed);
    expect(migrate()).toEqual(refused);
  }
  writeFileSync(script, text.replaceAll("\n", "\r\n"));
  expect(migrate().text).toBe(`${ignored}The database has all migrations.\n`);
  writeFileSync(script, text);

  execFileSync(process.execPath, ["--import", "tsx", "tools/bundle.ts"], { cwd });
  expect(migrate().text).toBe("Applied: 0002-later.\n");
  rmSync(later, { recursive: true });
  expect(migrate()).toEqual(refused);
});

test("the bundle loads what another database needs when it is asked for it", async () => {
  const variables = { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" };
  const { ended } = startProcess(join(SERVICES, "bundled"), variables, MAIN);
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.stderr).toContain("DATABASE_URL names PostgreSQL at 127.0.0.1:1");
});
