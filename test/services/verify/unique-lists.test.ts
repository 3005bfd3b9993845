import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Conformance } from "../../../src/verify/verdict.js";
import { compile } from "../../mutants/mutated-services.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf, told, Trials } from "../../random/trial-of-service.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";
import { cases } from "../../support/thorough.js";
import { smallService } from "./unique-services.js";

/** Small services whose unique lists can hold few entities: so many are tried. */
const SAMPLES = cases({ usual: [4, 9, 13], long: Array.from({ length: 60 }, (_, seed) => seed) });

const host = new ServiceHost();
const trials = new Trials(null);
afterAll(() => [host, trials].forEach((one) => one.stop()));

function project(resources: Readonly<Record<string, string>>): Texts {
  const files = Object.entries(resources).map(([plural, text]) => [
    `resources/v1/${plural}.yaml`,
    `resource: ${plural}\n${text}`,
  ]);
  return { "service.yaml": "service: desk\n", ...Object.fromEntries(files) };
}

function desks(properties: string, unique = ""): Texts {
  const text = `entity: desk\nproperties: { ${properties}, title: string }\n${unique}`;
  return project({ desks: text });
}

/** Starts a service of these files; `change` edits each file that is emitted. */
async function started(
  name: string,
  files: Texts,
  change = (text: string): string => text,
): Promise<{ url: string; verified: () => Promise<Conformance> }> {
  const { model, outputs } = await renderValid(files);
  const texts = outputs.map(({ path, text }) => [path, change(text ?? "")] as const);
  const folder = `unique-${name.replaceAll(/\W/g, "-")}`;
  const url = await host.start(await compile(folder, Object.fromEntries(texts)));
  return { url, verified: async () => verifyAt(model, url, { leave: false }) };
}

function creation({ verdicts }: Conformance) {
  return verdicts.find(({ rule }) => rule === "OPS-1");
}

const PLACE = "room: { enum: [north, south] }, floor: { enum: [low, high] }";
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const WEEKDAY = `day: { enum: [${WEEKDAYS.join(", ")}], unique: true, required: true }`;
const SEATS = "entity: seat\nproperties: { desk: { reference: desks, required: true } }\n";
const BRANCHES =
  "entity: branch\nproperties: { code: { type: string, maxLength: 40, unique: true, required: true } }\n";

test.each<{ name: string; files: Texts }>([
  {
    name: "two enums together",
    files: desks(PLACE, "unique: [[room, floor]]\n"),
  },
  {
    name: "two required enums together",
    files: desks(PLACE.replaceAll("]", "], required: true"), "unique: [[room, floor]]\n"),
  },
  {
    name: "a number up to five",
    files: desks("slot: { type: integer, minimum: 1, maximum: 5, unique: true }"),
  },
  { name: "a weekday", files: desks(WEEKDAY) },
  {
    name: "a boolean and an enum that is not changed",
    files: desks(
      "isOpen: boolean, room: { enum: [a, b, c], default: a, immutable: true }",
      "unique: [[isOpen, room]]\n",
    ),
  },
  {
    name: "a number that only the service writes",
    files: desks("number: { type: integer, readOnly: true, unique: true }"),
  },
  {
    name: "two enums together, and is referred to",
    files: project({
      desks: `entity: desk\nproperties: { ${PLACE} }\nunique: [[room, floor]]\n`,
      seats: SEATS,
    }),
  },
  {
    name: "a reference and a date together",
    files: project({
      branches: BRANCHES,
      prices:
        "entity: price\nproperties: { branch: { reference: branches, required: true }, validFrom: { type: string, format: date, required: true } }\nunique: [[branch, validFrom]]\n",
    }),
  },
  {
    name: "its parent and an enum together",
    files: project({
      branches: BRANCHES,
      prices:
        "entity: price\nparent: branches\nproperties: { branch: { reference: branches }, kind: { enum: [a, b, c], required: true } }\nunique: [[branch, kind]]\n",
    }),
  },
])("verify has nothing to say about a service with unique values of $name", async (one) => {
  const found = await (await started(one.name, one.files)).verified();
  expect(failuresOf(found)).toEqual([]);
  expect(found.left).toEqual([]);
  // The few places suffice to see the rule.
  expect(creation(found)).toMatchObject({ outcome: "pass" });
});

test("places that entities of others take are counted, and what cannot be tried says why", async () => {
  const { url, verified } = await started("taken", desks(WEEKDAY));
  for (const day of WEEKDAYS) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ day });
    const made = await fetch(`${url}/api/v1/desks`, { method: "POST", headers, body });
    expect(made.status).toBe(201);
  }
  const found = await verified();
  expect(failuresOf(found)).toEqual([]);
  const reason = "no two desks have the same day (taken: 7 of 7; one is kept free)";
  expect(creation(found)).toMatchObject({ outcome: "skipped", reason });
});

test("a service that refuses values which no entity has is wrong", async () => {
  const files = desks(PLACE.replaceAll("]", "], required: true"), "unique: [[room, floor]]\n");
  const { verified } = await started("wrong", files, (text) =>
    text.replaceAll(/(CREATE UNIQUE INDEX[^(]*\()"?room"?, "?floor"?\)/gi, '$1"room")'),
  );
  expect(failuresOf(await verified()).join("\n")).toContain("409 DeskAlreadyExistsMessage");
});

test.each(SAMPLES)("verify has nothing to say about the small service %i", async (seed) => {
  const [schemas = {}] = fc.sample(smallService, { numRuns: 1, seed });
  const service = { schemas, code: {}, isSecured: false };
  const leave = seed % 2 === 0;
  expect(await trials.failures(service, { name: String(seed), leave }), told(service)).toEqual([]);
});

test.each([
  ["a boolean", desks("open: { type: boolean, unique: true, required: true }")],
  ["three words", desks("size: { enum: [small, medium, large], unique: true, required: true }")],
  ["two words together", desks(PLACE, "unique: [[room, floor]]\n")],
])("an index that is missing is noticed where there are few places: %s", async (name, files) => {
  const { verified } = await started(`no-index-${name}`, files, (text) =>
    text.replaceAll("CREATE UNIQUE INDEX", "CREATE INDEX"),
  );
  const { verdicts } = await verified();
  expect(verdicts.filter(({ outcome }) => outcome === "fail").map(({ rule }) => rule)).toContain(
    "OPS-1",
  );
});
