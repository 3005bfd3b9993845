import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Apart from what generates them: a test that only starts one need not load the generator.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the services of the tests stand, or those with seeded faults: inside the repository, so that they find its packages. */
export const SERVICES = process.env["TEST_SERVICES"] ?? join(ROOT, "test/.services");

/** The program that starts one of them as a process of its own; it finds this repository from where it stands. */
export const SERVICE_MAIN = join(ROOT, "test/.services/service-main.js");

/** The services that tests start or read, made once for all of them. */
export const FIXTURES: readonly string[] = [
  "contract",
  "deprecated",
  "limited",
  ...readdirSync(join(ROOT, "fixtures/golden")).map((name) => `golden/${name}`),
  "secured",
  "shop",
  "small-limits",
  "claims",
  "tenants",
  "versions",
];

/** The folder of the service generated from a project under `fixtures/`, or an example: `golden/minimal`, `shop`. */
export function serviceFolder(fixture: string): string {
  return join(SERVICES, fixture);
}
