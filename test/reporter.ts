import type { Reporter, TestModule, Vitest } from "vitest/node";
import { ruleCountText } from "../src/rules/rules.js";

/** Files of a run that is worth a table of its costs; fewer are read one by one. */
const MANY = 20;

/**
 * Ends a run with what it cost, by folder and for the dearest files, with how many rules have a test, and with
 * `12 passed, 0 failed` alone on its line.
 */
export default class TotalReporter implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const broken = states.filter((state) => state === "failed").length;
      passed += states.filter((state) => state === "passed").length;
      // A file that can not be loaded, or whose hooks fail, is a failure of its own.
      failed += broken === 0 && module.state() === "failed" ? 1 : broken;
    }
    if (modules.length >= MANY) this.vitest?.logger.log(costs(modules));
    this.vitest?.logger.log(ruleCountText());
    this.vitest?.logger.log(`${passed} passed, ${failed} failed`);
  }
}

/** A file of tests with the seconds that it took. */
interface Cost {
  readonly folder: string;
  readonly file: string;
  /** Inside its tests and hooks. */
  readonly tests: number;
  /** Of its process and imports. */
  readonly loading: number;
}

function costs(modules: readonly TestModule[]): string {
  const files = modules.map(costOf).sort((a, b) => b.tests - a.tests);
  const folders = [...new Set(files.map(({ folder }) => folder))]
    .map((folder) => total(folder, files))
    .sort((a, b) => b.tests + b.loading - a.tests - a.loading);
  return [
    `${"folder".padEnd(32)} files  s in tests  s to load`,
    ...[...folders, total(null, files)].map(
      ({ folder, files, tests, loading }) =>
        `${folder.padEnd(32)}${number(files, 6)}${number(tests, 12)}${number(loading, 11)}`,
    ),
    "",
    `the ${MANY} dearest files`,
    ...files.slice(0, MANY).map(({ file, tests }) => `${number(tests, 6)} s  ${file}`),
    "",
  ].join("\n");
}

/** The sum of a folder's files, or of all. */
function total(folder: string | null, costs: readonly Cost[]) {
  const files = costs.filter((cost) => folder === null || cost.folder === folder);
  const tests = files.reduce((seconds, cost) => seconds + cost.tests, 0);
  const loading = files.reduce((seconds, cost) => seconds + cost.loading, 0);
  return { folder: folder ?? "all", files: files.length, tests, loading };
}

/** Tests of one folder on two databases are two folders here, and so are those of each folder in test/unit. */
function costOf(module: TestModule): Cost {
  const path = module.relativeModuleId;
  const [, ...folders] = path.split("/").slice(0, -1);
  const name = folders.slice(0, folders[0] === "unit" ? 2 : 1).join("/");
  const { duration, environmentSetupDuration, prepareDuration, collectDuration, setupDuration } =
    module.diagnostic();
  const { name: project } = module.project;
  return {
    folder: project.startsWith("contract-") ? `${name} (${project.slice(9)})` : name,
    file: project === "" ? path : `${path} (${project})`,
    tests: duration / 1000,
    loading: (environmentSetupDuration + prepareDuration + collectDuration + setupDuration) / 1000,
  };
}

function number(value: number, width: number): string {
  return value.toFixed(0).padStart(width);
}
