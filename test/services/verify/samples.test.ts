import { afterAll, expect, test } from "vitest";
import { valueOf } from "../../../src/kinds/values.js";
import { uniqueLists } from "../../../src/model/projection.js";
import { seenBy } from "../../../src/model/seen-by.js";
import type { ServiceModel } from "../../../src/model/service-model.js";
import { targetsOf } from "../../../src/verify/anchors.js";
import type { Make, Samples } from "../../../src/verify/samples.js";
import type { Conformance } from "../../../src/verify/verdict.js";
import { compile } from "../../mutants/mutated-services.js";
import { serviceFolder } from "../../support/service-folders.js";
import { fixtureModel, verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { expectSuccess } from "../../support/expect-success.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";
import { cases } from "../../support/thorough.js";
import { BOOKINGS, FILES, SAMPLES, samplesIn, TICKETS } from "./sampled-projects.js";

const host = new ServiceHost();
afterAll(() => host.stop());

const RULE = `import type { LoanHooks } from "../generated/entities/loans/loans.hooks.js";
export const loans: LoanHooks = {
  async validate(next, stored, problems, { services }) {
    const { broken, maxDays, place } = await services.tools.read(next.tool.toolId);
    if (broken || place === null) problems.add("tool", "is not there for loans");
    if (next.days > maxDays) problems.add("days", "exceeds what the tool allows");
  },
};
`;
let url = "";
/** Verifies the service with the rule over two entities. */
async function found(given: string | null, rules: readonly string[] = []): Promise<Conformance> {
  const { model, outputs } = await renderValid(FILES);
  const code: Texts = { "src/custom/loans.ts": RULE };
  const texts = outputs.map(({ path, text }) => [path, code[path] ?? text ?? ""] as const);
  if (url === "") url = await host.start(await compile("shed", Object.fromEntries(texts)));
  const samples = given === null ? new Map() : expectSuccess(await samplesIn(given));
  return verifyAt(model, url, { leave: false, rules, samples });
}

test("a rule over two entities is in the way, and is not where the samples keep to it", async () => {
  const without = await found(null);
  const red = without.verdicts.filter(({ outcome }) => outcome === "fail");
  expect(red.length).toBeGreaterThan(4);
  // Which of the two the rule meets first depends on what was made.
  expect(red.flatMap(({ refused }) => refused)).toContainEqual(
    expect.objectContaining({
      resource: "loans",
      message: expect.stringMatching(/^(?:is not there for loans|exceeds what the tool allows)$/),
    }),
  );
  const { verdicts, left } = await found(SAMPLES);
  expect(failuresOf({ verdicts } as Conformance)).toEqual([]);
  expect(left).toEqual([]);
  expect(verdicts.flatMap(({ refused }) => refused)).toEqual([]);
  const skipped = verdicts.filter(({ outcome }) => outcome === "skipped").map(({ rule }) => rule);
  const usual = without.verdicts.filter(({ outcome }) => outcome === "skipped");
  expect(usual.map(({ rule }) => rule)).toEqual(expect.arrayContaining(skipped));
});

test("where everything is a sample, nothing fails, and what is not seen is told", async () => {
  const { model, outputs } = await renderValid(TICKETS);
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const desk = await host.start(await compile("desk", Object.fromEntries(texts)));
  const given = `tickets: { title: One, lines: [{ label: a }], dueDate: null }`;
  const samples = expectSuccess(await samplesIn(given, TICKETS));
  const all = await verifyAt(model, desk, { leave: false, samples });
  expect(failuresOf(all)).toEqual([]);
  const reasons = Object.fromEntries(all.verdicts.map(({ rule, reason }) => [rule, reason]));
  expect(reasons["ENT-1"]).toContain("with samples only: tickets.title, tickets.lines");
  expect(reasons["OPS-10"]).toContain("with samples only: tickets.title");
  const title = expect.objectContaining({
    title: "One",
    lines: [{ size: 1, label: "a" }],
  }) as unknown;
  expect(samples.get("/api/v1/tickets")?.values).toEqual(title);
});

const BOOKED_ONCE = `import type { BookingHooks } from "../generated/entities/bookings/bookings.hooks.js";
export const bookings: BookingHooks = {
  async validate({ branch, lines }, stored, problems, { services }) {
    for (const [index, { machine }] of lines.entries()) {
      const path = \`lines.\${index}.machine.machineId\`;
      const { machineId } = machine;
      if (stored?.lines.some((line) => line.machine.machineId === machineId)) continue;
      const owned = await services.machines.lock(machineId);
      if (owned.branch.branchId !== branch.branchId) problems.add(path, "is of another branch");
      const where = { "bookedMachines.machineId": machineId };
      const { itemCount } = await services.bookings.list({ where, pageSize: 1 });
      if (itemCount > 0) problems.add(path, "is booked");
    }
  },
  beforeCreate: (booking) => void (booking.bookedMachines = booking.lines.map(({ machine }) => machine)),
  beforeUpdate: (booking) => void (booking.bookedMachines = booking.lines.map(({ machine }) => machine)),
};
`;

test("a function of the samples makes what own code takes once, for each body anew", async () => {
  const { model, outputs } = await renderValid(BOOKINGS);
  const code: Texts = { "src/custom/bookings.ts": BOOKED_ONCE };
  const texts = outputs.map(({ path, text }) => [path, code[path] ?? text ?? ""] as const);
  const rental = await host.start(await compile("rental", Object.fromEntries(texts)));
  const turns: number[] = [];
  const bookings = async (make: Make, turn: number): Promise<object> => {
    turns.push(turn);
    const branch = await make("branches");
    return { branch, lines: [{ machine: await make("machines", { branch }), days: "2" }] };
  };
  const samples = expectSuccess(await samplesIn({ bookings }, BOOKINGS));
  const all = await verifyAt(model, rental, { leave: false, samples });
  expect(failuresOf(all)).toEqual([]);
  expect(all.left).toEqual([]);
  expect(turns).toEqual(turns.map((_, index) => index + 1));
  const failed = { machines: async (make: Make) => ({ label: (await make("nothings")).id }) };
  const wrong = expectSuccess(await samplesIn(failed, BOOKINGS));
  const red = await verifyAt(model, rental, { leave: false, samples: wrong, rules: ["OPS-1"] });
  expect(red.verdicts[0]?.reason).toContain(
    "the sample of machines: it makes nothings, which v1 does not have",
  );
  for (const [given, reason] of [
    [{ labell: "a" }, 'the sample of machines: "labell" is not a property that a client sets'],
    [undefined, "the sample of machines: it does not return an object"],
  ] as const) {
    const mistaken = expectSuccess(await samplesIn({ machines: () => given }, BOOKINGS));
    const told = { leave: false, samples: mistaken, rules: ["OPS-1"] };
    expect((await verifyAt(model, rental, told)).verdicts[0]?.reason).toContain(reason);
  }
  const unknown = await samplesIn({ booking: () => ({}) }, BOOKINGS);
  expect(unknown.diagnostics.map(({ message }) => message)).toEqual([
    'The service does not have a resource "booking".',
  ]);
});

/** A value for everything that samples can give. */
function everySample({ versions }: ServiceModel): Samples {
  const resources = versions.flatMap((version) => seenBy(version).resources);
  const samples = resources.map((resource) => {
    const together = uniqueLists(resource).flat();
    const { path, entity } = resource;
    const free = resource.properties.filter(
      ({ name, unique, readOnly }) => !unique && !readOnly && !together.includes(name),
    );
    const values = free
      .filter((property) => property.name !== entity.states?.property)
      .filter((property) => targetsOf([property]).length === 0)
      .map((property) => [property.name, valueOf(property, SEED)] as const);
    const given = Object.fromEntries(values.filter(([, value]) => value !== null));
    return [path, { values: given, state: null, made: null }] as const;
  });
  return new Map(samples);
}

const SEED = { run: "00000000-0000-4000-8000-000000000000", index: 3, anchors: () => [] };

const SAMPLED = ["golden/every-kind", "golden/references"];

test.each(cases({ usual: SAMPLED, long: [...SAMPLED, "versions"] }))(
  "with samples of all that can have one, nothing fails on the service of fixtures/%s",
  async (fixture) => {
    const model = await fixtureModel(fixture);
    const service = await host.start(serviceFolder(fixture));
    const samples = everySample(model);
    expect(failuresOf(await verifyAt(model, service, { leave: false, samples }))).toEqual([]);
  },
);
