import { execFile } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { emptyFolder, type Run } from "./command-line.js";

const BIN = resolve("bin/generator.js");

/** G8: nothing is made into code at run time, and nothing reaches a prototype through `__proto__`. */
const FLAGS = ["--disallow-code-generation-from-strings", "--disable-proto=throw"];

const folder = join(emptyFolder(), "helpdesk");

function strictly(...parameters: readonly string[]): Promise<Run> {
  return new Promise((done) => {
    const command = [...FLAGS, BIN, ...parameters];
    const child = execFile(process.execPath, command, (_, out, err) =>
      done({ exitCode: child.exitCode ?? -1, out, err }),
    );
  });
}

beforeAll(async () => {
  expect(await strictly("init", folder)).toMatchObject({ exitCode: 0, err: "" });
});

test.each(["validate", "generate", "check"])(
  "%s of the help desk evaluates nothing",
  async (verb) => {
    expect(await strictly(verb, folder)).toMatchObject({ exitCode: 0, err: "" });
  },
);

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
  writeFileSync(join(folder, "resources/v1/parcels.yaml"), `${lines.join("\n")}\n`);
  for (const verb of ["validate", "generate", "check"]) {
    expect(await strictly(verb, folder), verb).toMatchObject({ exitCode: 0, err: "" });
  }
});

test("a refusal evaluates nothing", async () => {
  appendFileSync(join(folder, "resources/v1/parcels.yaml"), '  "__proto__": string\n');
  const run = await strictly("validate", folder);
  expect(run.exitCode).toBe(1);
  expect(run.out + run.err).toContain("SCH-12");
});

test("the flags do what they are meant to", async () => {
  const tried = (code: string): Promise<number> =>
    new Promise((done) => {
      const child = execFile(process.execPath, [...FLAGS, "-e", code], () =>
        done(child.exitCode ?? -1),
      );
    });
  expect(await tried("eval('1')")).not.toBe(0);
  expect(await tried("({}).__proto__")).not.toBe(0);
  expect(await tried("1")).toBe(0);
});
