import { afterAll, expect, test } from "vitest";
import { compile } from "../../mutants/mutated-services.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { renderValid } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";

const host = new ServiceHost();
afterAll(() => host.stop());

const { model, outputs } = await renderValid({
  "service.yaml": "service: clinic\nversions: { v1: draft, v2: draft }\n",
  "resources/v1/visits.yaml": `resource: visits
entity: visit
properties:
  cents: { type: integer, required: true, minimum: 0, maximum: 99999 }
  status: { enum: [open, done], required: true, default: open }
`,
  "resources/v2/visits.yaml": `resource: visits
entity: visit
properties:
  amount: { type: decimal, scale: 2, required: true, minimum: 0, maximum: 999.99, converted: { from: cents, unit: 100 } }
  state: { enum: [open, closed], required: true, default: open, sortable: true, converted: { from: status, values: { done: closed } } }
`,
});

test("a service whose versions are converted by words keeps every rule", async () => {
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const url = await host.start(await compile("by-words", Object.fromEntries(texts)));
  const found = await verifyAt(model, url, {});
  expect(failuresOf(found)).toEqual([]);
  expect(found.verdicts.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(30);
});
