import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { addProperty, copyOf, generator, jsonOf, minimalProject, treeOf } from "./command-line.js";

const NOTES = "resources/v1/notes.yaml";
const STORAGE = "migrations/0001-initial/storage.json";
const REFUSED = "refused by the service, since these have changed:\n  notes.colour: is new\n";
let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

test("an edit of what is stored is told by a dry run, by check and by generate, once", async () => {
  const project = copyOf(made);
  addProperty(project);
  const dry = await generator(["generate", project, "--dry-run"]);
  expect(dry.out).toContain(`Databases that exist would be ${REFUSED}`);
  const check = await generator(["check", project]);
  expect(check.out).toContain(`Databases that exist would be ${REFUSED}`);
  const real = await generator(["generate", project]);
  expect(real).toMatchObject({ exitCode: 0, err: "" });
  expect(real.out).toContain(`Databases that exist are ${REFUSED}`);
  expect(real.out).toContain("npm run db:reset -- <name of the database>\n");
  expect((await generator(["generate", project])).out).not.toContain("refused");
  expect((await generator(["check", project])).exitCode).toBe(0);
});

test("programs are given the same", async () => {
  const project = copyOf(made);
  addProperty(project);
  const changes = [{ place: "notes.colour", change: "is new" }];
  for (const flags of [["--dry-run", "--json"], ["--json"]]) {
    expect(jsonOf(await generator(["generate", project, ...flags]))).toMatchObject({
      storageChanges: changes,
    });
  }
  expect(jsonOf(await generator(["generate", project, "--json"]))).toMatchObject({
    storageChanges: [],
  });
});

test("an edit of what is not stored says nothing of databases", async () => {
  const project = copyOf(made);
  const yaml = readFileSync(join(project, NOTES), "utf8");
  writeFileSync(join(project, NOTES), yaml.replace(/^description: .*$/m, "description: Edited."));
  const run = await generator(["generate", project]);
  expect(run.out).toContain("updated");
  expect(run.out).not.toContain("refused");
});

test("of a project that an older release has generated it is said that its databases are refused", async () => {
  const project = copyOf(made);
  rmSync(join(project, STORAGE));
  const lock = join(project, "generator.lock");
  const lines = readFileSync(lock, "utf8").split("\n");
  writeFileSync(lock, lines.filter((line) => !line.includes(STORAGE)).join("\n"));
  const { exitCode, out } = await generator(["generate", project]);
  expect(exitCode).toBe(0);
  expect(out).toContain(`${STORAGE}: is new, and nothing says how databases`);
  expect(treeOf(project)[STORAGE]).toBe(treeOf(made)[STORAGE]);
});

test("a storage model that is no JSON is a conflict, and is replaced when that is asked for", async () => {
  const project = copyOf(made);
  writeFileSync(join(project, STORAGE), "{");
  expect((await generator(["generate", project])).err).toContain(`${STORAGE}:1:1  error  OWN-1`);
  const { exitCode, out } = await generator(["generate", project, "--force"]);
  expect(exitCode).toBe(0);
  expect(out).toContain("nothing says how databases");
});

test("a new project says nothing of databases", async () => {
  const folder = copyOf(made);
  for (const path of ["migrations", "generator.lock", ".rulebound"]) {
    rmSync(join(folder, path), { recursive: true, force: true });
  }
  expect((await generator(["generate", folder, "--force"])).out).not.toContain("refused");
});
