import { generateService } from "./generated-services.js";

/** The services that tests start or read, made once for all of them. */
const FIXTURES = [
  "contract",
  "golden/compact",
  "golden/every-kind",
  "golden/few-operations",
  "golden/minimal",
  "secured",
  "small-limits",
];

/** Runs once, before the first test. */
export async function setup(): Promise<void> {
  for (const fixture of FIXTURES) await generateService(fixture);
}
