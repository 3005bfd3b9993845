import { rmSync } from "node:fs";
import { afterAll, expect, inject, test } from "vitest";
import { fuzz } from "./scripts/fuzz.js";
import { kill } from "./scripts/kill.js";
import { lostUpdate } from "./scripts/lost-update.js";
import { overload } from "./scripts/overload.js";
import { races } from "./scripts/races.js";
import { tokens } from "./scripts/tokens.js";
import { runAttack, type Battlefield } from "./support/arena.js";
import { newBuildFolder } from "./support/attacked-shop.js";

// Those attacks of `npm run attacks` whose bounds hold on a busy machine too, with a few requests each.
const ATTACKS = [tokens, races, lostUpdate, fuzz, kill];

const field: Battlefield = {
  size: "short",
  node: process.execPath,
  builds: newBuildFolder(),
  postgresUrl: inject("postgresUrl"),
};
afterAll(() => rmSync(field.builds, { recursive: true, force: true }));

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
