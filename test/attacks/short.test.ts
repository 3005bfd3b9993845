import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { SERVICES } from "../support/generated-services.js";
import { fuzz } from "./scripts/fuzz.js";
import { kill } from "./scripts/kill.js";
import { lostUpdate } from "./scripts/lost-update.js";
import { overload } from "./scripts/overload.js";
import { races } from "./scripts/races.js";
import { tokens } from "./scripts/tokens.js";
import { runAttack, type Battlefield } from "./support/arena.js";

// Those attacks of `npm run attacks` whose bounds hold on a busy machine too, with a few requests each.
const ATTACKS = [tokens, races, lostUpdate, fuzz, kill];

const field: Battlefield = {
  size: "short",
  node: process.execPath,
  builds: `attacks/test-${process.pid}`,
  postgresUrl: inject("postgresUrl"),
};
afterAll(() => rmSync(join(SERVICES, field.builds), { recursive: true, force: true }));

const rows = ATTACKS.flatMap((attack) =>
  attack.databases.map((database) => [attack.name, database, attack] as const),
);
// Beside a server and a load, PostgreSQL has no cores left on a small machine.
rows.push([overload.name, "sqlite", overload]);

test.each(rows)("%s on %s", async (_name, database, attack) => {
  const findings = await runAttack(attack, database, field);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.filter(({ isMet }) => isMet === false)).toEqual([]);
});
