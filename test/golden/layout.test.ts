import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeBenchProject } from "../../bench/support/bench-project.js";
import { exampleFiles } from "../../src/commands/example-files.js";
import { readTree } from "../support/read-tree.js";
import { emittedTexts, renderValid, type Texts } from "../support/render-files.js";

// Whoever needs the whole of prettier fails here: it costs more than all the rest of a run.
vi.mock("prettier/standalone", () => {
  throw new Error("prettier was loaded");
});

test.each(["minimal", "helpdesk", "shop"])("no file of %s needs prettier", async (name) => {
  const files = exampleFiles(name, name).map(({ path, text }) => [path, text ?? ""]);
  await expectLaidOut(Object.fromEntries(files) as Texts);
});

test("no file of the projects that generating is measured with needs prettier", async () => {
  const folder = mkdtempSync(join(tmpdir(), "layout-"));
  try {
    writeBenchProject(folder, { resources: 12, isLinked: true });
    await expectLaidOut(readTree(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function expectLaidOut(files: Texts): Promise<void> {
  const texts = emittedTexts(await renderValid(files));
  expect(Object.keys(texts).length).toBeGreaterThan(10);
}
