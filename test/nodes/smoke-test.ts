import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "./runtime.js";
import { STEPS } from "./steps.js";

/** What is tried, and with what. */
export interface Trial {
  readonly runtime: Runtime;
  /** The generator as `npm pack` packs it. */
  readonly archive: string;
  /** Where all of it happens; made anew. */
  readonly folder: string;
}

/** How the steps went on one Node. */
export interface Outcome {
  /** `node 22.13.0` */
  readonly name: string;
  readonly results: readonly {
    readonly step: string;
    /** `-`: not reached, since one before it failed. */
    readonly mark: "ok" | "FAILED" | "-";
  }[];
  /** Of all files of the new service; "" when there is none. */
  readonly hash: string;
}

/** Takes each step, until one fails; what that one says is printed. */
export async function smokeTest(trial: Trial): Promise<Outcome> {
  const { runtime, folder } = trial;
  mkdirSync(folder, { recursive: true });
  const results: Outcome["results"][number][] = [];
  let hash = "";
  let isBroken = false;
  for (const { name: step, take } of STEPS) {
    if (isBroken) {
      results.push({ step, mark: "-" });
      continue;
    }
    try {
      hash = (await take(trial)) ?? hash;
      results.push({ step, mark: "ok" });
    } catch (error) {
      isBroken = true;
      results.push({ step, mark: "FAILED" });
      process.stdout.write(
        `  ${step}: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  }
  return { name: `node ${runtime.version}`, results, hash };
}

/** The folder of the service that the trial makes. */
export function serviceOf({ folder }: Trial): string {
  return join(folder, "helpdesk");
}
