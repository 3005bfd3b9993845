import { expect, test } from "vitest";
import { wholeService } from "../support/compiled-service.js";
import { ownTests } from "../support/own-tests.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { serviceFolder } from "../support/service-folders.js";

const EVENTS = `resource: events
entity: event
properties:
  title: { type: string, required: true }
  status: { enum: [draft, checked, onSale, over] }
states:
  property: status
  initial: draft
  transitions: { draft: [checked], checked: [], onSale: [over], over: [] }
  updatableIn: [draft, onSale]
  deletableIn: [draft, over]
actions:
  release: { states: [checked], leadsTo: onSale, input: { reason: { type: string, required: true } }, access: [role:manager] }
access: { read: [authenticated], create: [authenticated], update: [owner], delete: [owner] }
`;

const RENAMED_EVENTS = EVENTS.replace("  status:", "  phase:")
  .replace("over] }", "over], renamedFrom: status }")
  .replace("property: status", "property: phase");

/** Children of an event, in its path alone, and what refers to it. */
const SEATS = `resource: seats
entity: seat
parent: events
properties: { row: { type: integer, required: true }, note: string }
access: { read: [parent], create: [authenticated], update: [owner], delete: [owner] }
`;
const PASSES = `resource: passes
entity: pass
properties:
  event: { reference: events, required: true, embed: [title], listedUnder: true }
  holder: { type: string, filterable: true }
actions:
  move: { input: { event: { reference: events, required: true } }, access: [owner] }
access: { read: [authenticated], create: [authenticated], update: [owner], delete: [owner] }
`;

const onSale = (own: string, type: string): string =>
  `import type { ${type}Hooks } from "../generated/entities/${own}/${own}.hooks.js";

export const ${own}: ${type}Hooks = {
  async validate(next, _stored, problems, { services }) {
    const { phase } = await services.events.read(next.event.eventId);
    if (phase !== "onSale") problems.add("event", "is not on sale");
  },
${own === "passes" ? "  actions: { move: (pass, { event }) => void (pass.event = event) },\n" : ""}};
`;

const CODE = {
  "src/custom/events.ts": `import type { EventHooks } from "../generated/entities/events/events.hooks.js";

export const events: EventHooks = { actions: { release: () => undefined } };
`,
  "src/custom/seats.ts": onSale("seats", "Seat"),
  "src/custom/passes.ts": onSale("passes", "Pass"),
};

const BEARER =
  'authentication: { scheme: bearer, issuer: "https://login.example.com/", audience: hall, keys: "https://login.example.com/keys" }';

const NAME = "samples-of-states";

async function writeService(samples: object): Promise<void> {
  const project = await renderValid({
    "service.yaml": `service: hall\nversions: { v1: draft, v2: draft }\n${BEARER}\n`,
    "resources/v1/events.yaml": EVENTS,
    "resources/v2/events.yaml": RENAMED_EVENTS,
    "resources/v1/seats.yaml": SEATS,
    "resources/v2/seats.yaml": SEATS.replace(
      "note: string",
      "remark: { type: string, renamedFrom: note }",
    ),
    "resources/v1/passes.yaml": PASSES,
    "resources/v2/passes.yaml": "resource: passes\nsameAs: v1\n",
  });
  const own = {
    ...CODE,
    "test/samples.ts": `import type { Samples } from "@rulebound/runtime/testing";

export const samples: Samples = ${JSON.stringify(samples)};
`,
  };
  writeTree(serviceFolder(NAME), await wholeService(project, own));
}

test("what others refer to is led to the state that a rule of theirs wants, in each version", async () => {
  await writeService({ "v1/events": { status: "onSale" }, "v2/events": { phase: "onSale" } });
  const { passed, said } = await ownTests(NAME);
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(30);
});

test("a state that nothing leads to is told, with the file", async () => {
  await writeService({ "v1/events": { status: "lost" } });
  const { said } = await ownTests(NAME);
  expect(said).toContain("test/samples.ts:1:");
  expect(said).toContain('"lost"');
});
