import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { EventReceiver } from "../../src/verify/event-log.js";
import { CHECKS } from "../../src/verify/checks.js";
import { cases } from "../support/thorough.js";
import { mutate } from "./mutated-services.js";
import { ServiceHost } from "../support/service-host.js";
import { fileOf } from "./mutant.js";
import { MUTANTS } from "./mutants.js";
import { fixtureModel, securedCallers, verifyAt } from "./verifying.js";

/** All of them take minutes. */
const EACH = cases({ usual: 40, long: 1 });
const host = new ServiceHost();
afterAll(() => host.stop());

const { tokens, authentication } = await securedCallers();
const events = new EventReceiver();
const webhook = await events.listen(0);
afterAll(() => events.close());

const SERVICES = {
  contract: { model: await fixtureModel("contract"), options: {}, tokens: [] },
  deprecated: { model: await fixtureModel("deprecated"), options: {}, tokens: [] },
  "golden/levels": { model: await fixtureModel("golden/levels"), options: {}, tokens: [] },
  "golden/references": { model: await fixtureModel("golden/references"), options: {}, tokens: [] },
  limited: { model: await fixtureModel("limited"), options: {}, tokens: [] },
  secured: { model: await fixtureModel("secured"), options: { authentication }, tokens },
  "small-limits": { model: await fixtureModel("small-limits"), options: {}, tokens: [] },
  versions: { model: await fixtureModel("versions"), options: {}, tokens: [] },
};
/** Each rule has one that is tried always. */
function isFirstOf(rule: string, index: number): boolean {
  return MUTANTS.findIndex((mutant) => mutant.rule === rule) === index;
}

test.each(MUTANTS.filter(({ rule }, index) => index % EACH === 0 || isFirstOf(rule, index)))(
  "$rule is found broken: $why",
  async (mutant) => {
    const { model, options, tokens: callers } = SERVICES[mutant.service ?? "contract"];
    const url = await host.start(
      await mutate(mutant, `mutant-${MUTANTS.indexOf(mutant)}`),
      options,
      webhook,
    );
    const rules = [mutant.rule];
    const found = await verifyAt(model, url, { tokens: callers, rules, events, mostFailures: 1 });
    expect(found.verdicts.map(({ outcome }) => outcome)).toEqual(["fail"]);
  },
);

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
