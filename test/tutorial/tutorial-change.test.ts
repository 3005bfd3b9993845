import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { errorsIn } from "../support/compiled-service.js";
import { tutorialSteps } from "../support/tutorial.js";
import { TutorialRun } from "../support/tutorial-run.js";

const PAGE = "docs/tutorial-change.md";
const run = new TutorialRun("tutorial-change");
afterAll(() => run.stop());

/** What has a default can be left out, and an order begins in the first state alone. */
const CREATES = `import type { components } from "./api-v1.js";

type Status = components["schemas"]["OrderCreateDto"]["status"];
const left: Status = undefined;
const first: Status = "placed";
// @ts-expect-error No order begins there.
const later: Status = "shipped";
export const statuses = [left, first, later];
`;

/** What the compiler says of the clients that are there, with the options of the service. */
async function errorsOf(folder: string): Promise<string> {
  writeFileSync(join(folder, "clients/creates.ts"), CREATES);
  writeFileSync(
    join(folder, "clients/tsconfig.json"),
    JSON.stringify({
      extends: "../tsconfig.json",
      compilerOptions: { rootDir: ".", noEmit: true, lib: ["es2023", "dom", "dom.iterable"] },
      include: ["."],
    }),
  );
  const errors = await errorsIn(join(folder, "clients"), "shipped");
  for (const file of ["creates.ts", "tsconfig.json"]) rmSync(join(folder, "clients", file));
  return errors;
}

test(
  "what the tutorial says is what happens, command by command, and its clients compile with the types of its documents",
  { timeout: 1_200_000 },
  async () => {
    const steps = tutorialSteps(PAGE);
    expect(steps.filter(({ kind }) => kind === "run").length).toBeGreaterThan(20);
    let clients = 0;
    for (const step of steps) {
      await run.go(step).catch((error: unknown) => {
        throw new Error(
          `${PAGE}:${step.line}: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      if (step.kind !== "write" || !step.path.startsWith("clients/")) continue;
      expect(await errorsOf(run.path), `line ${step.line}`).toBe("");
      clients += 1;
    }
    expect(clients).toBeGreaterThan(1);
  },
);
