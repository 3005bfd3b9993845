import { afterAll, expect, test } from "vitest";
import type { Conformance } from "../../../src/verify/verdict.js";
import { compile } from "../../mutants/mutated-services.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";

const host = new ServiceHost();
afterAll(() => host.stop());

function tickets(properties: string, more = ""): Texts {
  const text = `resource: tickets\nentity: ticket\nproperties: ${properties}\n${more}`;
  return { "service.yaml": "service: desk\n", "resources/v1/tickets.yaml": text };
}

interface Tried {
  readonly files: Texts;
  readonly code?: Texts;
  readonly rules: readonly string[];
}

/** Verifies the service that is made from these files, with this code in it. */
async function foundOn(name: string, { files, code = {}, rules }: Tried): Promise<Conformance> {
  const { model, outputs } = await renderValid(files);
  const texts = outputs.map(({ path, text }) => [path, code[path] ?? text ?? ""] as const);
  const url = await host.start(await compile(name, Object.fromEntries(texts)));
  return verifyAt(model, url, { leave: false, rules });
}

const SETTLES = `import type { TicketHooks } from "../generated/entities/tickets/tickets.hooks.js";
export const tickets: TicketHooks = {
  validate(next, stored, problems) {
    if (stored !== null && next.size !== stored.size) problems.add("size", "is settled");
  },
  beforeUpdate(next) { next.note = "changed"; },
};
`;

test("code that refuses or changes what the schema allows is told, by the place that differs", async () => {
  const files = tickets("{ title: string, size: integer, note: string }");
  const code = { "src/custom/tickets.ts": SETTLES };
  const told = failuresOf(await foundOn("settles", { files, code, rules: ["OPS-5"] })).join("\n");
  expect(told).toMatch(/what was not named beside title, at "note": "verify \w+" \|/);
  expect(told).toContain('| what was not named beside title, at "note": "changed"');
  expect(told).toMatch(/\{"size":\d+\} \| 200 and a JSON object \| 400 Validation.*fields: size/);
});

test("what only an action that is not written could make deletable is left, and told", async () => {
  const files = tickets(
    "{ title: string, status: { enum: [draft, shipped] } }",
    `states: { property: status, initial: draft, transitions: { draft: [], shipped: [] }, deletableIn: [shipped] }
actions: { ship: { states: [draft], leadsTo: shipped } }`,
  );
  const { left } = await foundOn("not-written", { files, rules: ["OPS-1"] });
  expect(left.length).toBeGreaterThan(0);
  expect(new Set(left.map(({ reason }) => reason))).toEqual(
    new Set(["its action ship is not written yet"]),
  );
});
