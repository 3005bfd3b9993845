import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { AUDIENCE, ISSUER, newKeys, tokenOf } from "../../contract/support/secured.js";
import { compile } from "../../mutants/mutated-services.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { renderValid } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";
import { cases } from "../../support/thorough.js";
import { clinic, clinicFiles, type Clinic } from "./role-services.js";

/** `npm run test:long` tries all of them. */
const SEEDS = Array.from({ length: cases({ usual: 8, long: 100 }) }, (_, seed) => seed);

const keys = await newKeys("clinic");
const host = new ServiceHost();
afterAll(() => host.stop());

async function verified(name: string, { files, callers }: Clinic) {
  const { model, outputs } = await renderValid(files);
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const folder = await compile(name, Object.fromEntries(texts));
  const file = join(folder, "keys.json");
  writeFileSync(file, JSON.stringify({ keys: [keys.jwk] }));
  const issuer = { issuer: ISSUER, audience: AUDIENCE, roles: "roles" };
  const url = await host.start(folder, {
    authentication: { scheme: "bearer", keys: file, ...issuer },
  });
  const tokens = await Promise.all(
    callers.map(async (roles, index) =>
      tokenOf(keys, `caller-${index}`, roles, { claims: { roles: [...roles] } }),
    ),
  );
  return verifyAt(model, url, { tokens, leave: false });
}

test.each([
  { deleting: "vaccinations", access: [{ delete: ["role:desk"] }, null, { delete: ["role:vet"] }] },
  { deleting: "animals", access: [{ delete: ["role:desk"] }, { delete: ["role:vet"] }, null] },
])(
  "verify expects a refusal where a caller may delete an owner and not its $deleting",
  async ({ deleting, access }) => {
    const callers = [["desk"], ["vet"], ["nurse"]];
    const clinic = { files: clinicFiles(access), callers };
    const conformance = await verified(`clinic-${deleting}`, clinic);
    expect(failuresOf(conformance)).toEqual([]);
    const deletion = conformance.verdicts.find(({ rule }) => rule === "CHD-4");
    expect(deletion?.outcome, deletion?.reason).toBe("pass");
  },
);

test.each(SEEDS)("verify has nothing to say where roles differ by level: %i", async (seed) => {
  const [sample] = fc.sample(clinic, { numRuns: 1, seed });
  if (sample === undefined) expect.fail("there is no sample");
  const conformance = await verified(`clinic-${seed}`, sample);
  expect(failuresOf(conformance), JSON.stringify(sample, null, 2)).toEqual([]);
  expect(conformance.left).toEqual([]);
});
