import type { Reporter, TestModule, Vitest } from "vitest/node";
import { ruleCountText } from "../src/rules/rules.js";

/** Tells how many rules have a test; ends a run with `12 passed, 0 failed`, alone on its line, for whoever reads only that. */
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
    this.vitest?.logger.log(ruleCountText());
    this.vitest?.logger.log(`${passed} passed, ${failed} failed`);
  }
}
