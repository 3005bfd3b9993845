import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { COMPILERS } from "../support/compiled-service.js";
import { tutorialSteps, type TutorialStep } from "../support/tutorial.js";
import { TutorialRun } from "../support/tutorial-run.js";

const PAGE = "docs/tutorial-change.md";
/** The commands that lead to the documents and the types of the clients; the others need a service that runs. */
const NEEDED =
  /^(?:cd |git |npx openapi-typescript |npx generator (?:init|generate|publish|version)\b)/;

const run = new TutorialRun("tutorial-clients");
afterAll(() => run.stop());

function isNeeded(step: TutorialStep): boolean {
  return step.kind === "run" ? NEEDED.test(step.command) : step.kind !== "picture";
}

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
function errorsOf(folder: string): Promise<string> {
  writeFileSync(join(folder, "clients/creates.ts"), CREATES);
  writeFileSync(
    join(folder, "clients/tsconfig.json"),
    JSON.stringify({
      extends: "../tsconfig.json",
      compilerOptions: { rootDir: ".", noEmit: true, lib: ["es2023", "dom", "dom.iterable"] },
      include: ["."],
    }),
  );
  const command = [COMPILERS.shipped, "-p", join(folder, "clients")];
  return new Promise((done) => {
    execFile(process.execPath, command, (_, out, err) => done(out + err));
  });
}

test("the clients of the tutorial compile with the types of its documents", async () => {
  const steps = tutorialSteps(PAGE).filter(isNeeded);
  const clients = steps.filter((step) => step.kind === "write" && step.path.startsWith("clients/"));
  expect(clients.length).toBeGreaterThan(1);
  for (const step of steps) {
    await run.go(step);
    if (clients.includes(step)) expect(await errorsOf(run.path), `line ${step.line}`).toBe("");
  }
});
