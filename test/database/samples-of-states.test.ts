import { afterAll, expect, inject, test } from "vitest";
import type { Conformance } from "../../src/verify/verdict.js";
import { compile } from "../mutants/mutated-services.js";
import { securedCallers, verifyAt } from "../mutants/verifying.js";
import { failuresOf } from "../random/trial-of-service.js";
import { expectSuccess } from "../support/expect-success.js";
import { renderValid, type Texts } from "../support/render-files.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { ServiceHost } from "../support/service-host.js";
import { cases } from "../support/thorough.js";
import { EVENTS, samplesIn } from "../services/verify/sampled-projects.js";

const host = new ServiceHost();
const callers = securedCallers();
afterAll(() => host.stop());

const ON_SALE = (own: string, type: string): string =>
  `import type { ${type}Hooks } from "../generated/entities/${own}/${own}.hooks.js";
export const ${own}: ${type}Hooks = {
  async validate(next, stored, problems, { services }) {
    if (stored !== null) return;
    const { status } = await services.events.read(next.event.eventId);
    if (status !== "onSale") problems.add("event", "is not on sale");
  },
};
`;
const HALL: Texts = {
  "src/custom/seats.ts": ON_SALE("seats", "Seat"),
  "src/custom/passes.ts": ON_SALE("passes", "Pass"),
  "src/custom/events.ts": `import type { EventHooks } from "../generated/entities/events/events.hooks.js";
export const events: EventHooks = { actions: { release: async () => undefined } };
`,
};

/** With tokens, the owner of an event changes it, and only an editor releases it. */
const SECURED: Texts = {
  ...EVENTS,
  "service.yaml": `service: hall
authentication: { scheme: bearer, issuer: "https://login.example.com/", audience: vault, keys: "https://login.example.com/keys", roles: realm_access.roles }
`,
  "resources/v1/events.yaml": `${EVENTS["resources/v1/events.yaml"]?.replace("answers: nothing", "access: [role:editor], answers: nothing")}access: { read: [authenticated], create: [role:clerk], update: [owner], delete: [owner] }
`,
  "resources/v1/seats.yaml": `${EVENTS["resources/v1/seats.yaml"]}access: { read: [parent], create: [authenticated], update: [owner], delete: [owner] }
`,
  "resources/v1/passes.yaml": `${EVENTS["resources/v1/passes.yaml"]}access: { read: [authenticated], create: [authenticated], update: [owner], delete: [owner] }
`,
};

const TRIED = [
  { database: "PostgreSQL", files: EVENTS, access: "open" },
  { database: "SQLite", files: SECURED, access: "secured" },
];

test.each(
  cases({
    usual: TRIED,
    long: [...TRIED, { database: "SQLite", files: EVENTS, access: "open" }],
  }),
)(
  "$access, on $database: what others refer to is led to the state that a rule of theirs wants",
  async ({ database, files, access }) => {
    const { tokens, authentication } = await callers;
    const { model, outputs } = await renderValid(files);
    const texts = outputs.map(({ path, text }) => [path, HALL[path] ?? text ?? ""] as const);
    const databaseUrl = database === "SQLite" ? undefined : schemaUrl(inject("postgresUrl"));
    if (databaseUrl !== undefined) await makeSchema(databaseUrl);
    const isOpen = files === EVENTS;
    const hall = await host.start(await compile(`hall/${access}`, Object.fromEntries(texts)), {
      ...(databaseUrl !== undefined && { databaseUrl }),
      ...(!isOpen && { authentication }),
    });
    const verified = async (text: string): Promise<Conformance> => {
      const samples = expectSuccess(await samplesIn(text, files));
      return verifyAt(model, hall, { leave: false, samples, tokens: isOpen ? [] : tokens });
    };
    expect(failuresOf(await verified("{}"))).not.toEqual([]);
    const { verdicts, left } = await verified("events: { status: onSale }");
    expect(failuresOf({ verdicts } as Conformance)).toEqual([]);
    expect(left).toEqual([]);
    expect(verdicts.flatMap(({ refused }) => refused)).toEqual([]);
    const tried = verdicts.filter(({ outcome }) => outcome === "pass").map(({ rule }) => rule);
    expect(tried).toEqual(
      expect.arrayContaining(["CHD-1", "CHD-2", "CHD-3", "CHD-4", "REP-4", "OPS-11", "STA-3"]),
    );
  },
);

test("where code refuses a step, each rule that needed it says so", async () => {
  const { model, outputs } = await renderValid(EVENTS);
  const code = new Map(Object.entries(HALL).filter(([path]) => !path.endsWith("events.ts")));
  const texts = outputs.map(({ path, text }) => [path, code.get(path) ?? text ?? ""] as const);
  const hall = await host.start(await compile("hall/unwritten", Object.fromEntries(texts)));
  const samples = expectSuccess(await samplesIn("events: { status: onSale }", EVENTS));
  const { verdicts } = await verifyAt(model, hall, { leave: false, samples });
  const reasons = Object.fromEntries(verdicts.map(({ rule, reason }) => [rule, reason]));
  const reason = "an event could not become onSale: release was answered 501";
  expect(reasons["CHD-1"]).toContain(reason);
  expect(reasons["REP-4"]).toContain(reason);
});
