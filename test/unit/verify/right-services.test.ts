import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Conformance } from "../../../src/verify/verdict.js";
import { compile } from "../../mutants/mutated-services.js";
import { ServiceHost } from "../../support/service-host.js";
import { verifyAt } from "../../mutants/verifying.js";
import { rightService } from "../../support/right-services.js";
import { renderFiles, renderValid, type Texts } from "../../support/render-files.js";

const host = new ServiceHost();
afterAll(() => host.stop());

/** A line for each failure of a service that is made from these files. */
async function failuresOf(name: string, files: Texts, leave: boolean): Promise<readonly string[]> {
  const { model, outputs } = await renderValid(files);
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const url = await host.start(compile(name, Object.fromEntries(texts)));
  return told(await verifyAt(model, url, { leave }));
}

function told({ verdicts }: Conformance): readonly string[] {
  return verdicts.flatMap(({ rule, failures }) =>
    failures.map(({ request, expected, got }) =>
      [rule, request.method, request.path, request.body, expected, got].join(" | "),
    ),
  );
}

const SERVICE = "service: desk\n";

function tickets(properties: string, more = "", service = SERVICE): Texts {
  const text = `resource: tickets\nentity: ticket\nproperties:\n${properties.replace(/^/gm, "  ")}\n${more}`;
  return { "service.yaml": service, "resources/v1/tickets.yaml": text };
}

const STATE = "status: { enum: [draft, placed, shipped], filterable: true, sortable: true }";
const LINEAR = "transitions: { draft: [placed], placed: [shipped], shipped: [] }";

test.each<{ name: string; files: Texts }>([
  {
    name: "deletes in later states only",
    files: tickets(
      `title: { type: string, required: true, filterable: true }\n${STATE}`,
      `states: { property: status, initial: draft, ${LINEAR}, deletableIn: [placed, shipped] }`,
    ),
  },
  {
    name: "deletes in a state that a few transitions lead to",
    files: tickets(
      `title: { type: string, filterable: true }\nnumber: { type: integer, unique: true }\n${STATE}`,
      `states: { property: status, initial: draft, ${LINEAR}, updatableIn: [draft], deletableIn: [shipped] }`,
    ),
  },
  {
    name: "has a state as its only property",
    files: tickets(STATE, `states: { property: status, initial: draft, ${LINEAR} }`),
  },
  {
    name: "has a state as its only property, and deletes late",
    files: tickets(
      STATE,
      `states: { property: status, initial: draft, ${LINEAR}, deletableIn: [shipped] }`,
    ),
  },
  {
    name: "has numbers that are multiples of a hundredth",
    files: tickets(
      [
        "price: { type: number, multipleOf: 0.01, required: true, filterable: true, sortable: true }",
        "rate: { type: number, multipleOf: 0.1, minimum: 0.3, maximum: 0.9, filterable: true }",
        "share: { type: number, multipleOf: 0.07, exclusiveMinimum: 0 }",
        "small: { type: number, multipleOf: 1e-7, maximum: 0.001 }",
        "steps: { type: array, items: { type: number, multipleOf: 0.01 }, uniqueItems: true }",
      ].join("\n"),
    ),
  },
  {
    name: "has bounds that are not multiples",
    files: tickets(
      [
        "size: { type: integer, minimum: -5, maximum: 100, multipleOf: 3 }",
        "weight: { type: number, minimum: 0.5, maximum: 10, multipleOf: 1 }",
        "price: { type: decimal, scale: 2, minimum: 0.01, maximum: 99.99, multipleOf: 0.5 }",
        "huge: { type: number, minimum: -1e300, maximum: 1e300 }",
      ].join("\n"),
    ),
  },
  {
    name: "has unique codes, of which there are few",
    files: tickets(
      [
        "currency: { type: string, format: currencyCode, required: true, unique: true }",
        "country: { type: string, format: countryCode, unique: true, filterable: true }",
        "day: { type: string, format: date, unique: true }",
      ].join("\n"),
    ),
  },
  {
    name: "has a unique property with hardly any values",
    files: tickets(
      "side: { enum: [left, right], unique: true }\nrate: { type: number, multipleOf: 0.1, minimum: 0.3, maximum: 0.9, unique: true }",
    ),
  },
  {
    name: "stands at the root",
    files: tickets("title: { type: string, filterable: true }", "", `${SERVICE}basePath: /\n`),
  },
  {
    name: "has the closed forms of text",
    files: tickets(
      [
        "currency: { type: string, format: currencyCode, required: true, filterable: true, sortable: true }",
        "country: { type: string, format: countryCode, filterable: true }",
        'nordic: { type: string, format: countryCode, pattern: "^(?:SE|NO|DK)$", filterable: true }',
        "language: { type: string, format: languageTag, filterable: true, sortable: true }",
        "opening: { type: string, format: time, filterable: true, sortable: true }",
        "stay: { type: string, format: duration, filterable: true }",
        "countries: { type: array, items: { type: string, format: countryCode }, uniqueItems: true, filterable: true }",
      ].join("\n"),
    ),
  },
])("verify has nothing to say about a service that $name", async ({ name, files }) => {
  const folder = name.replaceAll(/\W/g, "-");
  for (const leave of [true, false]) {
    expect(await failuresOf(`${folder}-${leave}`, files, leave)).toEqual([]);
  }
});

/** More are tried by \`RIGHT_SERVICES=200\`, and others by \`RIGHT_SEED\`. */
const COUNT = Number(process.env["RIGHT_SERVICES"] ?? 6);
const SEED = Number(process.env["RIGHT_SEED"] ?? 11);

test(
  "verify has nothing to say about services of random schemas",
  { timeout: COUNT * 60_000 },
  async () => {
    const found: string[] = [];
    for (const [index, files] of fc
      .sample(rightService, { numRuns: COUNT, seed: SEED })
      .entries()) {
      const { diagnostics } = await renderFiles(files);
      const mistakes = diagnostics.map(({ code, message }) => `${code} ${message}`);
      const failures =
        mistakes.length > 0
          ? mistakes
          : await failuresOf(`random-${index}`, files, index % 2 === 0);
      if (failures.length > 0)
        found.push([...failures.slice(0, 4), JSON.stringify(files)].join("\n"));
    }
    expect(found).toEqual([]);
  },
);
