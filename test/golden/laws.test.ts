import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { beforeAll, expect, test } from "vitest";
import { renderProject, type RenderedProject } from "../../src/commands/render-project.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { hasBreakableLine } from "../../src/render/format.js";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { expectSuccess } from "../support/expect-success.js";
import { randomServices } from "../support/random-services.js";
import { readTree, writeTree } from "../support/read-tree.js";
import { emittedTexts, renderValid, type Texts } from "../support/render-files.js";
import { cases } from "../support/thorough.js";
import { ownProcess, treeOf } from "../cli/command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { GOLDEN_CASES, goldenTexts } from "./golden-cases.js";
import { templateTexts } from "./template-texts.js";

/** How many random services the laws are tried on; the same ones in every run. */
const RANDOM_SERVICES = cases({ usual: 10, long: 220 });
const SEED = 20_260_901;

let projects: readonly RenderedProject[] = [];

beforeAll(async () => {
  projects = await randomServices(RANDOM_SERVICES, SEED);
});

/** Lists folders backwards, as a file system may. */
class BackwardFiles extends MemoryFiles {
  override list(directory: string): readonly string[] {
    return [...super.list(directory)].reverse();
  }
}

const HELPDESK = readTree(resolve("templates/examples/helpdesk"));
const SCHEMAS = Object.fromEntries(
  Object.entries(HELPDESK).filter(([path]) => path.endsWith(".yaml")),
);

test("the order in which files are found changes nothing", async () => {
  const placed = Object.entries(SCHEMAS).map(([path, text]) => [`/project/${path}`, text]);
  const render = async (files: MemoryFiles): Promise<Texts> =>
    emittedTexts(expectSuccess(await renderProject(files, "/project")));
  const forward = await render(new MemoryFiles(Object.fromEntries(placed) as Texts));
  const backward = new BackwardFiles(Object.fromEntries(placed.reverse()) as Texts);
  expect(await render(backward)).toEqual(forward);
});

test.each([
  { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
  { TZ: "America/St_Johns", LANG: "C", LC_ALL: "C" },
])("in another folder, time zone and language the bytes are the same: $TZ", async (env) => {
  const plain = await generated({ TZ: "UTC", LANG: "en_US.UTF-8" }, ".");
  const other = await generated(env, "a/deeper folder");
  expect(Object.keys(other).length).toBeGreaterThan(45);
  expect(other).toEqual(plain);
});

/** What the command line makes of the help desk, run from `below` a new folder. */
async function generated(env: NodeJS.ProcessEnv, below: string): Promise<Record<string, string>> {
  const folder = join(temporaryFolder(), below);
  mkdirSync(folder, { recursive: true });
  writeTree(join(folder, "desk"), SCHEMAS);
  const run = await ownProcess(["generate", "desk"], { cwd: folder, env });
  expect(run).toMatchObject({ exitCode: 0, err: "" });
  return treeOf(join(folder, "desk"));
}

test.each(GOLDEN_CASES)("prettier changes nothing in %s", async (name) => {
  expect(await changedByPrettier(await goldenTexts(name))).toEqual([]);
});

test.each([
  { what: "the help desk", schemas: SCHEMAS },
  { what: "the service of the contract's tests", schemas: readTree(resolve("fixtures/contract")) },
])("prettier changes nothing in $what", async ({ schemas }) => {
  expect(await changedByPrettier(emittedTexts(await renderValid(schemas)))).toEqual([]);
});

test("prettier changes nothing in random services", { timeout: 300_000 }, async () => {
  expect(projects.length).toBeGreaterThanOrEqual(0.9 * RANDOM_SERVICES);
  for (const project of projects) {
    const changed = await changedByPrettier(emittedTexts(project));
    expect(changed, JSON.stringify(changed.slice(0, 1))).toEqual([]);
  }
});

test("no file of the help desk needs prettier while it is rendered, and of random services a third", async () => {
  const { model } = await renderValid(SCHEMAS);
  expect(shareForPrettier([model])).toBe(0);
  // Their names and texts are far longer than those of people.
  expect(shareForPrettier(projects.map((project) => project.model))).toBeLessThan(0.34);
});

function shareForPrettier(models: readonly ServiceModel[]): number {
  const texts = models.flatMap(templateTexts);
  return texts.filter(({ text }) => hasBreakableLine(text)).length / texts.length;
}

test("random services compile", { timeout: 300_000 }, async () => {
  const some = projects.filter((_, index) => index % 10 === 0);
  const services = await Promise.all(
    some.map(async (project, index) => [`s${index}`, await wholeService(project)] as const),
  );
  expect(services.length).toBeGreaterThanOrEqual(0.08 * RANDOM_SERVICES);
  expect(await compilerErrors("random", Object.fromEntries(services))).toBe("");
});

/** Texts that prettier leaves as they are: many services have the same ones. */
const formatted = new Set<string>();

/** The files that prettier would print otherwise, with what it would print. Throws where one cannot be parsed. */
async function changedByPrettier(texts: Texts): Promise<{ path: string; line: string }[]> {
  const changed: { path: string; line: string }[] = [];
  for (const [path, text] of Object.entries(texts)) {
    const parser = path.endsWith(".ts") ? "typescript" : path.endsWith(".json") ? "json" : null;
    if (parser === null || formatted.has(text)) continue;
    if (parser === "json") JSON.parse(text);
    const printed = await format(text, { parser, printWidth: 100 });
    if (printed === text) formatted.add(text);
    else changed.push({ path, line: firstDifference(text, printed) });
  }
  return changed;
}

function firstDifference(text: string, printed: string): string {
  const lines = text.split("\n");
  const others = printed.split("\n");
  const index = lines.findIndex((line, at) => line !== others[at]);
  const around = (all: readonly string[]): string => all.slice(index - 1, index + 3).join("\n");
  return `${around(lines)}\n=== prettier:\n${around(others)}`;
}
