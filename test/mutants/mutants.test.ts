import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { CHECKS } from "../../src/verify/checks.js";
import { fileOf } from "./mutant.js";
import { mutate } from "./mutated-services.js";
import { MUTANTS } from "./mutants.js";

test("a rule that is tried has a seeded fault, and every fault is of such a rule", () => {
  const broken = new Set(MUTANTS.map(({ rule }) => rule));
  const tried = new Set(CHECKS.map(({ rule }) => rule));
  expect([...tried].filter((rule) => !broken.has(rule))).toEqual([]);
  expect([...broken].filter((rule) => !tried.has(rule))).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(60);
});

test("the text of every seeded fault is in its service", () => {
  const lost = MUTANTS.filter(
    (mutant) => !readFileSync(fileOf(mutant), "utf8").includes(mutant.find),
  );
  expect(lost).toEqual([]);
});

test("every seeded fault leaves code that can be read", async () => {
  const broken: string[] = [];
  for (const mutant of MUTANTS.filter(({ file }) => file.endsWith(".ts"))) {
    const source = readFileSync(fileOf(mutant), "utf8");
    const text = source.replace(mutant.find, () => mutant.replace);
    await transform(text, { loader: "ts", logLevel: "silent" }).catch(() =>
      broken.push(`${mutant.rule}, ${mutant.why}`),
    );
  }
  expect(broken).toEqual([]);
});

test("a fault whose text is not there any more is told", async () => {
  const [mutant] = MUTANTS;
  if (mutant === undefined) throw new Error("there is no mutant");
  const gone = { ...mutant, find: "a text that is nowhere" };
  await expect(mutate(gone, "gone")).rejects.toThrow("does not hold this text any more");
});
