import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { RULES } from "../../src/rules/rules.js";
import { FIXTURES, SERVICES, serviceFolder } from "../support/service-folders.js";
import { setup } from "../support/services-setup.js";
import { transpileService } from "../support/transpile.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";
import { fileOf, isInRuntime, type Mutant } from "./mutant.js";
import { MUTANTS } from "./mutants.js";

// `npm run test:mutants [-- <rule>...] [-- --all]`: the contract tests of a rule have to fail on a service with a fault
// that breaks it; without --all one fault is tried for each rule. It takes minutes, and is no part of `npm test`.

const WORKERS = 2;

/** The outcome of one fault: what was expected, or what is wrong. */
type Outcome = "noticed" | "missed" | "no test";

async function main(given: readonly string[]): Promise<void> {
  await setup();
  const waiting = chosen(given);
  const total = waiting.length;
  const tests = [...new Set(waiting.flatMap(testsOf))];
  if (await isFailing(tests, SERVICES, "inherit")) {
    throw new Error("The tests fail without any fault.");
  }
  console.log(`${tests.length} test files pass without a fault`);
  const outcomes: Outcome[] = [];
  const work = async (worker: number): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const outcome = await outcomeOf(mutant, `run-${process.pid}-${worker}`);
      outcomes.push(outcome);
      console.log(`${outcome.padEnd(8)} ${mutant.rule.padEnd(6)} ${mutant.why}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  const noticed = outcomes.filter((outcome) => outcome === "noticed").length;
  console.log(`${noticed} passed, ${total - noticed} failed`);
  process.exitCode = noticed === total ? 0 : 1;
}

function chosen(given: readonly string[]): Mutant[] {
  const rules = given.filter((flag) => flag !== "--all");
  const wanted = MUTANTS.filter(({ rule }) => rules.length === 0 || rules.includes(rule));
  if (given.includes("--all")) return wanted;
  return wanted.filter(({ rule }, index) => wanted.findIndex((one) => one.rule === rule) === index);
}

async function outcomeOf(mutant: Mutant, name: string): Promise<Outcome> {
  const tests = testsOf(mutant);
  if (tests.length === 0) return "no test";
  const services = join(SERVICES, "mutants", name);
  const changed = join(services, mutant.service ?? "contract");
  rmSync(services, { recursive: true, force: true });
  for (const fixture of FIXTURES) {
    const folder = join(services, fixture);
    mkdirSync(dirname(folder), { recursive: true });
    if (folder === changed) cpSync(serviceFolder(fixture), folder, { recursive: true });
    else symlinkSync(serviceFolder(fixture), folder);
  }
  const source = readFileSync(fileOf(mutant), "utf8");
  if (!source.includes(mutant.find)) throw new Error(`${mutant.file} lost: ${mutant.find}`);
  // A function, because `$` means something in a replacement.
  const text = source.replace(mutant.find, () => mutant.replace);
  if (isInRuntime(mutant)) await installRuntime(changed, { file: mutant.file, text });
  else writeFileSync(join(changed, mutant.file), text);
  await transpileService(changed);
  const failed = await isFailing(tests, services);
  rmSync(services, { recursive: true, force: true });
  return failed ? "noticed" : "missed";
}

/** Gives a service a runtime of its own, one file of which has another text. */
async function installRuntime(
  service: string,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<void> {
  const folder = join(service, "node_modules/@rulebound/runtime");
  cpSync(join(RUNTIME_SOURCE, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(RUNTIME_SOURCE, "package.json"), join(folder, "package.json"));
  const { code } = await transform(text, { loader: "ts" });
  const name = relative(RUNTIME_SOURCE, file).replace(/\.ts$/, ".js");
  writeFileSync(join(folder, "dist", name), code);
}

function testsOf({ rule }: Mutant): readonly string[] {
  const found = RULES.find(({ id }) => id === rule);
  return (found?.enforcedBy.tests ?? []).filter((path) => path.startsWith("test/contract/"));
}

async function isFailing(
  tests: readonly string[],
  services: string,
  stdio: "ignore" | "inherit" = "ignore",
): Promise<boolean> {
  const parameters = ["run", "--config", "test/mutants/vitest.config.ts", "--root", ".", ...tests];
  const child = spawn("node_modules/.bin/vitest", parameters, {
    env: { ...process.env, TEST_SERVICES: services },
    stdio,
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code !== 0;
}

await main(process.argv.slice(2));
