import { expect, test } from "vitest";
import { expectSuccess } from "../../support/expect-success.js";
import type { Texts } from "../../support/render-files.js";
import { EVENTS, SAMPLES, samplesIn, TICKETS } from "../../services/verify/sampled-projects.js";

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

test("a state is a sample of what others refer to alone", async () => {
  const told = async (text: string, files: Texts): Promise<readonly string[]> =>
    (await samplesIn(text, files)).diagnostics.map(({ code, span }) => `${code}:${span.column}`);
  expect(await told("tickets: { status: closed }", TICKETS)).toEqual(["SCH-395:20"]);
  expect(await told("tickets: { status: open }", TICKETS)).toEqual([]);
  expect(await told("tickets: { status: lost }", TICKETS)).toEqual(["SCH-93:20"]);
  expect(await told("events: { status: onSale }", EVENTS)).toEqual([]);
});

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
  expect(samples.get("/api/v1/loans")?.values).toEqual({ deposit: "5.00", days: 3 });
  const newer = { deposit: "5.00", days: 4, remark: "by hand" };
  expect(samples.get("/api/v2/loans")?.values).toEqual(newer);
  expect(samples.get("/api/v1/borrowings")?.values).toEqual({ length: 3 });
  const { place } = samples.get("/api/v2/tools")?.values ?? {};
  expect(place).toEqual({ town: "Lund", shelf: 2 });
});
