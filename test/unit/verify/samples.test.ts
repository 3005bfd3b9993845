import { afterAll, expect, test } from "vitest";
import { readModel, type ReadModel } from "../../../src/commands/read-model.js";
import { readSamples } from "../../../src/commands/read-samples.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { valueOf } from "../../../src/kinds/values.js";
import { uniqueLists } from "../../../src/model/projection.js";
import { seenBy } from "../../../src/model/seen-by.js";
import type { ServiceModel } from "../../../src/model/service-model.js";
import { targetsOf } from "../../../src/verify/anchors.js";
import type { Samples } from "../../../src/verify/samples.js";
import type { Conformance } from "../../../src/verify/verdict.js";
import { compile, compileService } from "../../mutants/mutated-services.js";
import { fixtureModel, verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { expectSuccess } from "../../support/expect-success.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";

const host = new ServiceHost();
afterAll(() => host.stop());

const TOOLS = `resource: tools
entity: tool
properties:
  name: { type: string, required: true, maxLength: 60, filterable: true, sortable: true }
  broken: { type: boolean, required: true, filterable: true, sortable: true }
  maxDays: { type: integer, required: true, minimum: 1, maximum: 90, filterable: range, sortable: true }
  place: { type: object, properties: { town: { type: string, required: true, default: Lund }, shelf: integer } }
  tags: { type: array, items: string }
aliases:
  usable: { where: { broken: false } }
`;
const LOANS = `resource: loans
entity: loan
properties:
  tool: { reference: tools, required: true, embed: [name, maxDays], filterable: true }
  days: { type: integer, required: true, minimum: 1, maximum: 90, filterable: range, sortable: true }
  deposit: { type: decimal, scale: 2, minimum: 0 }
  purpose: { type: string, maxLength: 80, immutable: true, filterable: true }
  note: { type: string, filterable: true }
  total: { type: integer, readOnly: true }
unique: [[tool, purpose]]
`;
const BORROWINGS = `resource: borrowings
represents: loans
properties: { tool: tool, length: days, note: note }
`;
const FILES: Texts = {
  "service.yaml": "service: shed\nversions: { v1: draft, v2: draft }\n",
  "resources/v1/tools.yaml": TOOLS,
  "resources/v1/loans.yaml": LOANS,
  "resources/v1/borrowings.yaml": BORROWINGS,
  "resources/v2/tools.yaml": "resource: tools\nsameAs: v1\n",
  "resources/v2/loans.yaml": LOANS.replace("note: {", "remark: { renamedFrom: note,"),
};
const RULE = `import type { LoanHooks } from "../generated/entities/loans/loans.hooks.js";
export const loans: LoanHooks = {
  async validate(next, stored, problems, { services }) {
    const { broken, maxDays, place } = await services.tools.read(next.tool.toolId);
    if (broken || place === null) problems.add("tool", "is not there for loans");
    if (next.days > maxDays) problems.add("days", "exceeds what the tool allows");
  },
};
`;
const SAMPLES = `
tools: { broken: false, maxDays: 60, place: { shelf: 2 }, tags: [heavy] }
loans: { deposit: "5" }
v1/loans: { days: 3 }
v2/loans: { days: 4, remark: by hand }
`;

let url = "";
/** Verifies the service with the rule over two entities. */
async function found(given: string | null, rules: readonly string[] = []): Promise<Conformance> {
  const { model, outputs } = await renderValid(FILES);
  const code: Texts = { "src/custom/loans.ts": RULE };
  const texts = outputs.map(({ path, text }) => [path, code[path] ?? text ?? ""] as const);
  if (url === "") url = await host.start(compile("shed", Object.fromEntries(texts)));
  const samples = given === null ? new Map() : expectSuccess(await samplesIn(given));
  return verifyAt(model, url, { leave: false, rules, samples });
}

async function samplesIn(text: string, files = FILES): Promise<ReturnType<typeof readSamples>> {
  const placed = Object.entries({ ...files, "samples.yaml": text });
  const memory = new MemoryFiles(
    Object.fromEntries(placed.map(([path, one]) => [`/project/${path}`, one] as const)),
  );
  const project: ReadModel = expectSuccess(await readModel(memory, "/project"));
  return readSamples({ files: memory, root: "/project" }, "samples.yaml", project);
}

test("a rule over two entities is in the way, and is not where the samples keep to it", async () => {
  const without = await found(null);
  const red = without.verdicts.filter(({ outcome }) => outcome === "fail");
  expect(red.length).toBeGreaterThan(4);
  expect(red.some(({ refused }) => refused > 0)).toBe(true);
  const { verdicts, left } = await found(SAMPLES);
  expect(failuresOf({ verdicts } as Conformance)).toEqual([]);
  expect(left).toEqual([]);
  expect(verdicts.map(({ refused }) => refused)).toEqual(verdicts.map(() => 0));
  const skipped = verdicts.filter(({ outcome }) => outcome === "skipped").map(({ rule }) => rule);
  const usual = without.verdicts.filter(({ outcome }) => outcome === "skipped");
  expect(usual.map(({ rule }) => rule)).toEqual(expect.arrayContaining(skipped));
});

/** What is given of a resource with states is sent in every body but for the state. */
const TICKETS = {
  "service.yaml": "service: desk\n",
  "resources/v1/tickets.yaml": `resource: tickets
entity: ticket
properties:
  title: { type: string, required: true, filterable: true, sortable: true }
  lines: { type: array, items: { type: object, properties: { size: { type: integer, required: true, default: 1 }, label: string } } }
  dueDate: { type: timestamp, filterable: true, sortable: true }
  status: { enum: [open, closed], filterable: true }
states: { property: status, initial: open, transitions: { open: [closed], closed: [] }, updatableIn: [open] }
`,
};

test("where everything is a sample, nothing fails, and what is not seen is told", async () => {
  const { model, outputs } = await renderValid(TICKETS);
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const desk = await host.start(compile("desk", Object.fromEntries(texts)));
  const given = `tickets: { title: One, lines: [{ label: a }], dueDate: null, status: closed }`;
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
  expect(samples.get("/api/v1/tickets")).toEqual(title);
});

/** A value for everything that samples can give. */
function everySample({ versions }: ServiceModel): Samples {
  const resources = versions.flatMap((version) => seenBy(version).resources);
  const samples = resources.map((resource) => {
    const together = uniqueLists(resource).flat();
    const { path, entity } = resource;
    const given = resource.properties.filter(
      ({ name, unique, readOnly }) => !unique && !readOnly && !together.includes(name),
    );
    const values = given
      .filter((property) => property.name !== entity.states?.property)
      .filter((property) => targetsOf([property]).length === 0)
      .map((property) => [property.name, valueOf(property, SEED)] as const);
    return [path, Object.fromEntries(values.filter(([, value]) => value !== null))] as const;
  });
  return new Map(samples);
}

const SEED = { run: "00000000-0000-4000-8000-000000000000", index: 3, anchors: () => [] };

test.each(["versions", "golden/every-kind", "golden/references"])(
  "with samples of all that can have one, nothing fails on the service of fixtures/%s",
  async (fixture) => {
    const model = await fixtureModel(fixture);
    const service = await host.start(compileService(fixture));
    const samples = everySample(model);
    expect(failuresOf(await verifyAt(model, service, { leave: false, samples }))).toEqual([]);
  },
);

test.each<{ name: string; text: string; told: readonly string[] }>([
  {
    name: "names a resource that there is not",
    text: "loan: { days: 3 }",
    told: [
      'samples.yaml:1:1 SCH-390 The service does not have a resource "loan". Did you mean "loans"?',
    ],
  },
  {
    name: "names a version that there is not",
    text: "v3/loans: { days: 3 }",
    told: ['SCH-390 The service does not have a resource "v3/loans". Did you mean "v1/loans"?'],
  },
  {
    name: "names a property that there is not",
    text: "loans: { dayz: 3 }",
    told: [
      'samples.yaml:1:10 SCH-391 v1/loans does not have a property "dayz". Did you mean "days"?',
    ],
  },
  {
    name: "names a property of one version for all of them",
    text: "loans: { remark: here }",
    told: ['SCH-391 v1/loans does not have a property "remark". Write it under "v2/loans".'],
  },
  {
    name: "gives what only the service writes",
    text: "loans: { total: 3 }",
    told: ['SCH-392 "total" of v1/loans is read-only: a body cannot set it. Remove it.'],
  },
  {
    name: "gives values that the schema does not allow",
    text: "loans: { days: 91, deposit: five }\ntools: { broken: null, tags: [1], place: { town: 7 } }",
    told: [
      "samples.yaml:1:16 SCH-98 The value is 91, but maximum is 90. Change the value.",
      'SCH-15 The value "five" is not',
      "SCH-15 The value null is not",
      "SCH-15 The value 1 is not a string",
      "SCH-15 The value 7 is not a string",
    ],
  },
  {
    name: "gives a reference",
    text: "loans: { tool: { toolId: one } }",
    told: [
      "SCH-103 The value contains a reference, but a schema cannot know which entities exist.",
    ],
  },
  {
    name: "gives values of a representation",
    text: "borrowings: { length: 0 }\nv1/borrowings: { length: 5, note: fine }",
    told: ["samples.yaml:1:23 SCH-98 The value is 0, but minimum is 1."],
  },
  { name: "gives no values", text: "loans: 3", told: ['SCH-8 "loans" must be a mapping'] },
  {
    name: "is not YAML",
    text: "loans: {",
    told: ["samples.yaml:1:8 SCH-1 This is not valid YAML"],
  },
])("a file of samples that $name is refused, with the place", async ({ text, told }) => {
  const { ok, diagnostics } = await samplesIn(text);
  expect(ok).toBe(false);
  const lines = diagnostics.map(({ code, message, suggestion, span }) =>
    [`${span.file}:${span.line}:${span.column}`, code, message, suggestion ?? ""].join(" "),
  );
  expect(lines).toEqual(told.map((one) => expect.stringContaining(one) as unknown));
});

const BOOKS = {
  "service.yaml": "service: desk\n",
  "resources/v1/books.yaml": `resource: books
entity: book
properties:
  number: { type: integer, unique: true }
  title: { type: string, required: true, maxLength: 50 }
  shelf: { type: integer, required: true }
  kind: { enum: [lent, sold], required: true }
  more: { type: object, properties: { pages: { type: integer, readOnly: true } } }
unique: [[title, kind], [shelf, kind]]
`,
};

test("what only one entity could have is refused, and what others can differ beside is not", async () => {
  const codes = async (text: string): Promise<readonly string[]> =>
    (await samplesIn(text, BOOKS)).diagnostics.map(({ code, span }) => `${code}:${span.column}`);
  expect(await codes("books: { number: 3 }")).toEqual(["SCH-393:10"]);
  expect(await codes("books: { number: null }")).toEqual(["SCH-393:10"]);
  expect(await codes("books: { kind: lent }")).toEqual([]);
  expect(await codes("books: { title: One }")).toEqual(["SCH-394:10"]);
  expect(await codes("books: { shelf: 1, kind: sold }")).toEqual(["SCH-394:10"]);
  expect(await codes("books: { more: { pages: 3 } }")).toEqual(["SCH-392:18"]);
});

test("samples hold for every version, for one of them, and for what a representation shows", async () => {
  const samples = expectSuccess(await samplesIn(SAMPLES));
  expect(samples.get("/api/v1/loans")).toEqual({ deposit: "5.00", days: 3 });
  expect(samples.get("/api/v2/loans")).toEqual({ deposit: "5.00", days: 4, remark: "by hand" });
  expect(samples.get("/api/v1/borrowings")).toEqual({ length: 3 });
  const { place } = samples.get("/api/v2/tools") ?? {};
  expect(place).toEqual({ town: "Lund", shelf: 2 });
});
