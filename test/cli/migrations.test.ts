import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyOf, generator, treeOf } from "./command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let made = "";
beforeAll(async () => {
  made = temporaryFolder();
  mkdirSync(join(made, "resources/v1"), { recursive: true });
  writeFileSync(join(made, "service.yaml"), "service: shop\n");
  orders(made, "fax: string", "price: { type: decimal, scale: 2 }");
  await generator(["generate", made]);
});

/** Makes the schema of a project one of orders with these properties. */
function orders(project: string, ...properties: readonly string[]): void {
  const lines = properties.map((line) => (line.startsWith("removed") ? line : `  ${line}`));
  const own = lines.filter((line) => line.startsWith("removed"));
  const held = lines.filter((line) => !line.startsWith("removed"));
  const text = ["resource: orders", "entity: order", ...own, "properties:", ...held, ""].join("\n");
  writeFileSync(join(project, "resources/v1/orders.yaml"), text);
}

const PRICE = "price: { type: decimal, scale: 2 }";

function migrations(project: string): readonly string[] {
  return readdirSync(join(project, "migrations")).sort();
}

function migrationFile(project: string, name: string): { parents: string[]; steps: object[] } {
  const text = readFileSync(join(project, "migrations", name, "migration.json"), "utf8");
  return JSON.parse(text) as ReturnType<typeof migrationFile>;
}

test("an edit makes the next migration, is told in one line, and leaves those before it as they are", async () => {
  const project = copyOf(made);
  const before = treeOf(project);
  orders(project, "telefax: { type: string, renamedFrom: fax }", PRICE);
  const dry = await generator(["generate", project, "--dry-run"]);
  expect(dry.out).toContain(
    "The migration migrations/0002-rename-orders-fax would:\n  rename orders.fax to telefax\n",
  );
  expect(migrations(project)).toEqual(["0001-initial"]);
  const run = await generator(["generate", project]);
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out).toContain("The migration migrations/0002-rename-orders-fax is new:");
  expect(migrationFile(project, "0002-rename-orders-fax").parents).toEqual(["0001-initial"]);
  const after = treeOf(project);
  for (const [path, text] of Object.entries(before)) {
    if (path.startsWith("migrations/")) expect(after[path]).toBe(text);
  }
  // The rest of the renaming may stand, and a second run finds nothing to do.
  expect((await generator(["generate", project])).out).toContain("Nothing to do");
  rmSync(join(project, ".rulebound"), { recursive: true });
  expect((await generator(["generate", project])).out).toContain("Nothing to do");
});

test("a migration that was edited is a conflict, and taken as it is only with --force", async () => {
  const project = copyOf(made);
  appendFileSync(join(project, "migrations/0001-initial/sqlite.sql"), "-- mine\n");
  const run = await generator(["generate", project]);
  expect(run.exitCode).toBe(1);
  expect(run.err).toContain("migrations/0001-initial/sqlite.sql:1:1  error  SCH-148");
  expect(await generator(["generate", project, "--force"])).toMatchObject({ exitCode: 0 });
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
});

test("a migration that one was made on top of is sealed by its digest as well", async () => {
  const project = copyOf(made);
  orders(project, "fax: string", PRICE, "note: string");
  await generator(["generate", project]);
  appendFileSync(join(project, "migrations/0001-initial/sqlite.sql"), "-- mine\n");
  const run = await generator(["generate", project, "--force"]);
  expect(run.err).toContain("SCH-148");
});

test("a project that was made before there were other migrations goes on", async () => {
  const project = copyOf(made);
  const folder = join(project, "migrations/0001-initial");
  const { steps } = migrationFile(project, "0001-initial");
  const tables = steps.map((step) => (step as { table: object }).table);
  // Bounds were not on record.
  const storage = JSON.stringify({ format: 1, tables }, (key, value: unknown) =>
    key === "bounds" ? undefined : value,
  );
  rmSync(join(folder, "migration.json"));
  writeFileSync(join(folder, "storage.json"), storage);
  rmSync(join(project, "generator.lock"));
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  const name = migrations(project)[1] ?? "";
  const scripts = ["sqlite.sql", "postgres.sql"].map((file) =>
    readFileSync(join(project, "migrations", name, file), "utf8"),
  );
  // What the bounds are is put on record, and nothing is looked for.
  for (const script of scripts) expect(script).not.toMatch(/^-- \w+: .*\n\w/m);
  orders(project, "telefax: { type: string, renamedFrom: fax }", PRICE);
  await generator(["generate", project]);
  expect(migrations(project)).toEqual(["0001-initial", name, "0003-rename-orders-fax"]);
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
});

test("migrations of two branches that commute are both parents of the next one", async () => {
  const project = await merged(
    ["fax: string", PRICE, "note: string"],
    ["telefax: { type: string, renamedFrom: fax }", PRICE],
  );
  orders(project, "telefax: { type: string, renamedFrom: fax }", PRICE, "note: string");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(migrations(project)).toHaveLength(3);
  orders(
    project,
    "telefax: { type: string, renamedFrom: fax }",
    PRICE,
    "note: string",
    "due: timestamp",
  );
  await generator(["generate", project]);
  expect(migrationFile(project, "0003-add-orders-due").parents).toEqual([
    "0002-add-orders-note",
    "0002-rename-orders-fax",
  ]);
});

test("migrations of two branches that do not commute are named, with what to do", async () => {
  const project = await merged(
    ["fax: string", "price: { type: decimal, scale: 3 }"],
    ["fax: string", "cost: { type: decimal, scale: 2, renamedFrom: price }"],
  );
  for (const command of ["generate", "check"]) {
    const run = await generator([command, project]);
    expect(run.exitCode).toBe(1);
    expect(run.err).toContain(
      "migrations/0002-rename-orders-price/migration.json:1:1  error  SCH-149",
    );
    expect(run.err).toContain(
      'The migrations "0002-convert-orders-price" and "0002-rename-orders-price" were made independently, and both change orders.price.',
    );
  }
  rmSync(join(project, "migrations/0002-convert-orders-price"), { recursive: true });
  orders(project, "fax: string", "cost: { type: decimal, scale: 3, renamedFrom: price }");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(migrations(project).at(-1)).toBe("0003-convert-orders-cost");
});

test("what was removed stays until it is dropped by a migration that was asked for", async () => {
  const project = copyOf(made);
  const nothing = await generator(["drop-columns", project]);
  expect(nothing).toMatchObject({ exitCode: 2 });
  expect(nothing.err).toContain("There is nothing to drop");
  orders(project, "removed: { fax: nobody sends faxes }", PRICE);
  const early = await generator(["drop-columns", project]);
  expect(early.err).toContain('run "generator generate" first');
  await generator(["generate", project]);
  expect(await generator(["drop-columns", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(migrations(project)).toEqual([
    "0001-initial",
    "0002-remove-orders-fax",
    "0003-drop-orders-fax",
  ]);
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
  // It may come back under its name, with nothing in it.
  orders(project, "fax: string", PRICE);
  await generator(["generate", project]);
  expect(migrations(project).at(-1)).toBe("0004-add-orders-fax");
});

test("a name whose values are kept is not given to another property", async () => {
  const project = copyOf(made);
  orders(project, "removed: { fax: nobody sends faxes }", PRICE);
  await generator(["generate", project]);
  orders(project, "fax: { type: decimal, scale: 2, renamedFrom: price }");
  const before = treeOf(project);
  const { exitCode, err } = await generator(["generate", project]);
  expect(exitCode).toBe(1);
  expect(err).toContain("error  SCH-268");
  expect(err).toContain('"price" cannot be called "fax"');
  expect(treeOf(project)).toEqual(before);
});

test("a name that differs only in case from one whose values are kept is refused, until they are dropped", async () => {
  const project = copyOf(made);
  const removed = "removed: { fax: nobody sends faxes }";
  orders(project, removed, PRICE, "faX: string");
  const before = treeOf(project);
  const refused = await generator(["generate", project]);
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toContain("error  SCH-290");
  expect(refused.err).toContain('"faX" differs only in upper and lower case');
  expect(treeOf(project)).toEqual(before);
  orders(project, removed, PRICE);
  await generator(["generate", project]);
  orders(project, removed, "faX: { type: decimal, scale: 2, renamedFrom: price }");
  expect((await generator(["generate", project])).err).toContain("error  SCH-290");
  // What the message advises.
  orders(project, removed, PRICE);
  await generator(["generate", project]);
  await generator(["drop-columns", project]);
  orders(project, PRICE, "faX: string");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(migrations(project).at(-1)).toBe("0004-add-orders-fa-x");
  // Another case alone is a rename.
  orders(project, PRICE, "fAX: { type: string, renamedFrom: faX }");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
});

test("a migration of one's own stands in the chain, and its scripts are the user's", async () => {
  const project = copyOf(made);
  const run = await generator(["migration", "new", "Fill order numbers", project]);
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  const name = "0002-fill-order-numbers";
  appendFileSync(join(project, "migrations", name, "sqlite.sql"), "-- run: nothing\nSELECT 1;\n");
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
  orders(project, "fax: string", PRICE, "note: string");
  await generator(["generate", project]);
  expect(migrationFile(project, "0003-add-orders-note").parents).toEqual([name]);
  // From now on another one counts on it.
  appendFileSync(join(project, "migrations", name, "sqlite.sql"), "-- more\n");
  expect((await generator(["generate", project])).err).toContain("SCH-148");
});

test("migrations that were never released are folded by git's word", async () => {
  const project = copyOf(made);
  const outside = await generator(["migration", "squash", "--unreleased", project]);
  expect(outside.err).toContain("Only git can say");
  git(project, "init", "--initial-branch=main");
  commit(project, "first");
  git(project, "tag", "v1.0.0");
  git(project, "checkout", "-q", "-b", "work");
  for (const more of [["note: string"], ["note: string", "due: timestamp"]]) {
    orders(project, "fax: string", PRICE, ...more);
    await generator(["generate", project]);
    commit(project, "more");
  }
  expect(migrations(project)).toHaveLength(3);
  const run = await generator(["migration", "squash", "--unreleased", project]);
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(migrations(project)).toEqual(["0001-initial", "0002-add-orders"]);
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
  // On the trunk of a repository without a remote, what is committed may be out.
  commit(project, "folded");
  git(project, "checkout", "-q", "main");
  git(project, "merge", "-q", "work");
  git(project, "branch", "-q", "-D", "work");
  orders(project, "fax: string", PRICE, "note: string", "due: timestamp", "sent: timestamp");
  await generator(["generate", project]);
  const trunk = await generator(["migration", "squash", "--unreleased", project]);
  expect(trunk.err).toContain("There is nothing to fold: 1 migration is not released.");
  // The one that is not released is made anew where the schemas lead elsewhere now.
  orders(project, "fax: string", PRICE, "note: string", "due: timestamp", "sent: boolean");
  expect((await generator(["generate", project])).err).toContain("SCH-146");
  const remade = await generator(["migration", "squash", "--unreleased", project]);
  expect(remade).toMatchObject({ exitCode: 0, err: "" });
  expect(migrations(project).at(-1)).toBe("0003-add-orders-sent");
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
  orders(project, "fax: string", PRICE, "note: string", "due: timestamp");
  await generator(["migration", "squash", "--unreleased", project]);
  expect(migrations(project).at(-1)).toBe("0002-add-orders");
});

/** A project into which two branches were merged, each with an edit of its own and its migration. */
async function merged(one: readonly string[], other: readonly string[]): Promise<string> {
  const project = copyOf(made);
  git(project, "init", "--initial-branch=main");
  commit(project, "start");
  for (const [name, properties] of [
    ["one", one],
    ["other", other],
  ] as const) {
    git(project, "checkout", "-q", "-b", name, "main");
    orders(project, ...properties);
    await generator(["generate", project]);
    commit(project, name);
  }
  // What is generated is made anew after a merge; of migrations there are those of both.
  git(project, "merge", "--no-edit", "-s", "ours", "one");
  git(project, "checkout", "one", "--", "migrations");
  return project;
}

function commit(project: string, message: string): void {
  git(project, "add", "--all");
  git(project, "commit", "-q", "-m", message);
}

function git(project: string, ...parameters: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  execFileSync("git", [...identity, ...parameters], { cwd: project, stdio: "pipe" });
}
