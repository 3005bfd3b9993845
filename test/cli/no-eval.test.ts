import { spawnSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generator, STRICT } from "./command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = join(temporaryFolder(), "helpdesk");

test("patterns are checked, and long lines laid out, without evaluating anything", async () => {
  const allowed = Array.from({ length: 20 }, (_, index) => `"some long text ${index}"`);
  const lines = [
    "resource: parcels",
    "entity: parcel",
    "properties:",
    // Recheck is loaded for it.
    '  code: { type: string, pattern: "^[A-Z]{2}-[0-9]{4}$", example: AB-0001 }',
    // Prettier is: no template knows how to break this.
    `  note: { type: string, maxLength: 400, default: "${"a word ".repeat(20)}x" }`,
    `  marks: { type: array, items: string, example: [${allowed.join(", ")}] }`,
  ];
  expect(await generator(["init", folder])).toMatchObject({ exitCode: 0, err: "" });
  writeFileSync(join(folder, "resources/v1/parcels.yaml"), `${lines.join("\n")}\n`);
  for (const verb of ["validate", "generate", "check"]) {
    expect(await generator([verb, folder]), verb).toMatchObject({ exitCode: 0, err: "" });
  }
  appendFileSync(join(folder, "resources/v1/parcels.yaml"), '  "__proto__": string\n');
  const run = await generator(["validate", folder]);
  expect(run.exitCode).toBe(1);
  expect(run.out + run.err).toContain("SCH-12");
});

test.each(["eval('1')", "({}).__proto__"])("the flags refuse %s", (code) => {
  expect(spawnSync(process.execPath, [...STRICT, "-e", code]).status).not.toBe(0);
  expect(spawnSync(process.execPath, [...STRICT, "-e", "1"]).status).toBe(0);
});
