import fc from "fast-check";
import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { versionedProjects } from "../support/random-versions.js";
import { renderValid, type Texts } from "../support/render-files.js";
import { cases } from "../support/thorough.js";

/** What `init` would have the user write; the compiler asks for no more than its type. */
function withPairs(texts: Texts): Texts {
  const written = Object.entries(texts).map(([path, text]) => [
    path,
    path.startsWith("src/custom/conversions/")
      ? text.replace(/= \{[\s\S]*\};/, "= null as never;")
      : text,
  ]);
  return Object.fromEntries(written) as Texts;
}

test("what older versions show compiles, whatever newer ones call otherwise, add, remove and convert", async () => {
  const numRuns = cases({ usual: 5, long: 80 });
  // Chosen so that the first cases have something of everything.
  const projects = fc.sample(versionedProjects, {
    numRuns,
    seed: Number(process.env["SEED"] ?? 1),
  });
  const services: Record<string, Texts> = {};
  for (const [index, project] of projects.entries()) {
    services[`shop${index}`] = withPairs(await wholeService(await renderValid(project)));
  }
  expect(await compilerErrors("random-versions", services)).toBe("");
});
