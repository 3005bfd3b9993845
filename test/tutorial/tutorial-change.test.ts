import { afterAll, expect, test } from "vitest";
import { tutorialSteps } from "../support/tutorial.js";
import { TutorialRun } from "../support/tutorial-run.js";

const PAGE = "docs/tutorial-change.md";
const run = new TutorialRun("tutorial-change");
afterAll(() => run.stop());

test(
  "what the tutorial says is what happens, command by command",
  { timeout: 1_200_000 },
  async () => {
    const steps = tutorialSteps(PAGE);
    expect(steps.filter(({ kind }) => kind === "run").length).toBeGreaterThan(20);
    for (const step of steps) {
      await run.go(step).catch((error: unknown) => {
        throw new Error(
          `${PAGE}:${step.line}: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
    }
  },
);
