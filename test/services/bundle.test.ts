import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
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

test("the bundle loads what another database needs when it is asked for it", async () => {
  const variables = { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" };
  const { ended } = startProcess(join(SERVICES, "bundled"), variables, MAIN);
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.stderr).toContain("DATABASE_URL names PostgreSQL at 127.0.0.1:1");
});
