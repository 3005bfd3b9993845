import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generator, treeOf } from "./command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("a new service is complete: nothing is left to generate, and the next steps are named", async () => {
  const folder = temporaryFolder();
  const run = await generator(["init", "shop", "--example", "minimal"], { cwd: folder });
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out).toContain("\nNext:\n  cd shop\n  npm install\n  npm run build\n  npm start\n");
  const tree = treeOf(join(folder, "shop"));
  expect(tree["service.yaml"]).toMatch(/^service: shop\ntitle: Shop$/m);
  expect(tree["package.json"]).toContain('"file:vendor/rulebound-generator-');
  const { overrides, resolutions } = JSON.parse(tree["package.json"] ?? "") as Record<
    string,
    object
  >;
  expect(overrides).toMatchObject({ cookie: expect.any(String) as unknown });
  // Yarn knows these under another name.
  expect(resolutions).toEqual(overrides);
  expect(await generator(["check", "shop"], { cwd: folder })).toMatchObject({ exitCode: 0 });
});

test("the example is the help desk, with its own code", async () => {
  const folder = join(temporaryFolder(), "helpdesk");
  expect(await generator(["init", folder])).toMatchObject({ exitCode: 0, err: "" });
  const example = readFileSync("templates/examples/helpdesk/custom/tickets.ts", "latin1");
  expect(treeOf(folder)["src/custom/tickets.ts"]).toBe(example);
});

test("a folder with git in it, and nothing else, is empty", async () => {
  const folder = join(temporaryFolder(), "shop");
  mkdirSync(join(folder, ".git"), { recursive: true });
  expect(await generator(["init", folder, "--example", "minimal"])).toMatchObject({ exitCode: 0 });
});

test("init . makes the service in a new repository, and keeps its README and LICENSE", async () => {
  const folder = join(temporaryFolder(), "shop");
  mkdirSync(join(folder, ".git"), { recursive: true });
  for (const name of ["README.md", "LICENSE"]) writeFileSync(join(folder, name), "ours\n");
  const run = await generator(["init", ".", "--example", "minimal"], { cwd: folder });
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  expect(run.out).toContain("\nNext:\n  npm install\n");
  expect(treeOf(folder)).toMatchObject({ "README.md": "ours\n", LICENSE: "ours\n" });
  expect(await generator(["check", "."], { cwd: folder })).toMatchObject({ exitCode: 0 });
});

test("a name may have digits after a dash", async () => {
  const folder = join(temporaryFolder(), "shop-4773");
  expect(await generator(["init", folder, "--example", "minimal"])).toMatchObject({ exitCode: 0 });
  expect(treeOf(folder)["Dockerfile"]).toContain("FROM node");
});

test("a second init refuses, and changes nothing", async () => {
  const folder = join(temporaryFolder(), "shop");
  await generator(["init", folder, "--example", "minimal"]);
  const before = treeOf(folder, { times: true });
  const second = await generator(["init", folder]);
  expect(second).toMatchObject({ exitCode: 2, out: "" });
  expect(second.err).toContain("There is a service in");
  expect(treeOf(folder, { times: true })).toEqual(before);
});

test("a folder with something in it is refused and left as it was", async () => {
  const folder = join(temporaryFolder(), "shop");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  const run = await generator(["init", folder]);
  expect(run.exitCode).toBe(2);
  expect(run.err).toContain("is not empty (package.json)");
  expect(treeOf(folder)).toEqual({ "package.json": "{}" });
});

test("a link is no folder to begin in", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "linked"));
  expect((await generator(["init", join(folder, "linked")])).exitCode).toBe(2);
  expect(treeOf(folder)).toEqual({});
});

test.each([
  "Shop",
  "my shop",
  "@scope/Shop",
  "a;rm -rf x",
  "shop'--",
  "1shop",
  ".",
  "-",
  "a".repeat(61),
])("%j cannot name a service", async (name) => {
  const folder = join(temporaryFolder(), "UPPER");
  mkdirSync(folder);
  const run = await generator(["init", "--", name], { cwd: folder });
  expect(run).toMatchObject({ exitCode: 2, out: "" });
  expect(run.err).toContain("cannot name a service");
  expect(treeOf(folder)).toEqual({});
});

test("an unknown example names the ones there are", async () => {
  const folder = join(temporaryFolder(), "shop");
  const run = await generator(["init", folder, "--example", "nothing"]);
  expect(run).toMatchObject({ exitCode: 2 });
  expect(run.err).toContain("There is: helpdesk, minimal, shop.");
});
