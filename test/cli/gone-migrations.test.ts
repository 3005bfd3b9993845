import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generator } from "./command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("a migration that is gone and was committed is not made again, unless no database is to be kept", async () => {
  const project = temporaryFolder();
  mkdirSync(join(project, "resources/v1"), { recursive: true });
  writeFileSync(join(project, "service.yaml"), "service: shop\n");
  orders(project, "fax");
  await generator(["generate", project]);
  const folder = join(project, "migrations");
  // What is not committed is a draft.
  rmSync(folder, { recursive: true });
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  git(project, "init", "--initial-branch=main");
  commit(project, "first");
  orders(project, "fax", "note");
  await generator(["generate", project]);
  commit(project, "second");
  rmSync(folder, { recursive: true });
  for (const command of ["check", "generate"]) {
    const { exitCode, err } = await generator([command, project]);
    expect(exitCode).toBe(1);
    expect(err).toContain("migrations/0001-initial/migration.json:1:1  error  SCH-430");
    expect(err).toContain("migrations/0002-add-orders-note/migration.json:1:1  error  SCH-430");
  }
  expect(existsSync(folder)).toBe(false);
  git(project, "restore", "migrations");
  expect((await generator(["generate", project])).out).toContain("Nothing to do");
  rmSync(folder, { recursive: true });
  const anew = await generator(["migration", "squash", "--unreleased", project]);
  expect(anew).toMatchObject({ exitCode: 0, err: "" });
  expect(readdirSync(folder)).toEqual(["0001-initial"]);
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
});

test("the newest migration that was committed is missed where another one would take its place", async () => {
  const project = temporaryFolder();
  mkdirSync(join(project, "resources/v1"), { recursive: true });
  writeFileSync(join(project, "service.yaml"), "service: shop\n");
  orders(project, "fax");
  await generator(["generate", project]);
  git(project, "init", "--initial-branch=main");
  commit(project, "first");
  orders(project, "fax", "note");
  await generator(["generate", project]);
  commit(project, "second");
  const newest = join(project, "migrations/0002-add-orders-note");
  rmSync(newest, { recursive: true });
  // It is made again as it was.
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(readdirSync(newest)).toHaveLength(3);
  rmSync(newest, { recursive: true });
  orders(project, "fax", "remark");
  for (const command of ["check", "generate"]) {
    const { exitCode, err } = await generator([command, project]);
    expect({ command, exitCode }).toEqual({ command, exitCode: 1 });
    expect(err).toContain("migrations/0002-add-orders-note/migration.json:1:1  error  SCH-430");
  }
  const anew = await generator(["migration", "squash", "--unreleased", project]);
  expect(anew).toMatchObject({ exitCode: 0, err: "" });
  expect(readdirSync(join(project, "migrations"))).toEqual([
    "0001-initial",
    "0002-add-orders-remark",
  ]);
});

test("before the first commit every migration is a draft, and without git the way out is named", async () => {
  const project = temporaryFolder();
  mkdirSync(join(project, "resources/v1"), { recursive: true });
  writeFileSync(join(project, "service.yaml"), "service: shop\n");
  for (const names of [["fax"], ["fax", "note"]]) {
    orders(project, ...names);
    await generator(["generate", project]);
  }
  const squash = () => generator(["migration", "squash", "--unreleased", project]);
  const { exitCode, err } = await squash();
  expect(exitCode).toBe(2);
  expect(err).toContain("not a git repository");
  expect(err).toContain('delete the folder migrations and run "generator generate"');
  git(project, "init", "--initial-branch=main");
  expect(await squash()).toMatchObject({ exitCode: 0, err: "" });
  expect(readdirSync(join(project, "migrations"))).toEqual(["0001-initial"]);
});

/** Makes the schema of a project one of orders with these texts. */
function orders(project: string, ...names: readonly string[]): void {
  const properties = names.map((name) => `  ${name}: string\n`).join("");
  const text = `resource: orders\nentity: order\nproperties:\n${properties}`;
  writeFileSync(join(project, "resources/v1/orders.yaml"), text);
}

function commit(project: string, message: string): void {
  git(project, "add", "--all");
  git(project, "commit", "-q", "-m", message);
}

function git(project: string, ...parameters: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  execFileSync("git", [...identity, ...parameters], { cwd: project, stdio: "pipe" });
}
