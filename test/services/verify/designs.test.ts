import { afterAll, expect, inject, test } from "vitest";
import { compile } from "../../mutants/mutated-services.js";
import { ServiceHost } from "../../support/service-host.js";
import { verifyAt } from "../../mutants/verifying.js";
import { LEGAL_DESIGNS, projectOf, type Design } from "../../support/legal-designs.js";
import { makeSchema, schemaUrl } from "../../support/postgres-schema.js";
import { cases } from "../../support/thorough.js";
import { renderValid } from "../../support/render-files.js";

const host = new ServiceHost();
afterAll(() => host.stop());

/** A line for each failure of the service that designs make together. */
async function failuresOf(
  name: string,
  designs: readonly Design[],
  options: { readonly databaseUrl?: string } = {},
): Promise<readonly string[]> {
  const { model, outputs } = await renderValid(projectOf(designs));
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const url = await host.start(await compile(name, Object.fromEntries(texts)), options);
  const { verdicts, left } = await verifyAt(model, url, { leave: false });
  expect(left).toEqual([]);
  return verdicts.flatMap(({ rule, failures }) =>
    failures.map(({ request, expected, got }) =>
      [rule, request.method, request.path, request.body, expected, got].join(" | "),
    ),
  );
}

/** Each alone; all of them together are tried below. */
const EACH = cases({ usual: 3, long: 1 });
const ALONE = LEGAL_DESIGNS.map((design, index) => ({ ...design, index })).filter(
  ({ index }) => index % EACH === 0,
);

test.each(ALONE)("a service keeps every rule with $name", async ({ index, ...design }) => {
  expect(await failuresOf(`design-${index}`, [design])).toEqual([]);
});

test("all of them together keep every rule with PostgreSQL", async () => {
  const databaseUrl = schemaUrl(inject("postgresUrl"));
  await makeSchema(databaseUrl);
  expect(await failuresOf("designs", LEGAL_DESIGNS, { databaseUrl })).toEqual([]);
});
