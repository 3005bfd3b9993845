import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CHANGE_KINDS, type ChangeKindId } from "../../../src/contract/change-kinds.js";
import { changesBetween, fixtureProject, versionOf } from "../../support/change-fixtures.js";
import { EVERY_WORD } from "./every-word.js";
import { wordsIn, wordsOf, type Schema } from "./words-of-schema.js";

const SCHEMAS = ["service", "resource"] as const;

function schemaOf(name: (typeof SCHEMAS)[number]): Schema {
  return JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as Schema;
}

test("every word of the language has its kinds of edit, or says why it has none", () => {
  const words = SCHEMAS.flatMap((name) =>
    wordsOf(schemaOf(name)).map((word) => `${name}: ${word}`),
  );
  expect(Object.keys(EVERY_WORD).sort()).toEqual(words.sort());
});

const WITH_KINDS = Object.entries(EVERY_WORD).flatMap(([word, known]) =>
  Array.isArray(known) ? [[word, known as readonly ChangeKindId[]] as const] : [],
);

const WITH_EDITS = Object.entries(EVERY_WORD).flatMap(([word, known]) =>
  typeof known === "object" && "before" in known ? [[word, known] as const] : [],
);

test.each(WITH_KINDS)("an edit of %s is what the fixtures of its kinds edit", (word, kinds) => {
  const strangers = kinds.filter((kind) => !(kind in CHANGE_KINDS));
  expect(strangers).toEqual([]);
  expect(kinds.filter((kind) => !editedWords(kind).has(word))).toEqual([]);
});

test.each(WITH_EDITS)("an edit of %s is told", async (word, { kinds, before, after }) => {
  const told = changesBetween(
    await versionOf(projectWith(word, before)),
    await versionOf(projectWith(word, after)),
  );
  const own = [before, after].map((text) => wordsOfTexts(projectWith(word, text)).get(word));
  expect(own[0]).not.toBe(own[1]);
  expect([...new Set(told.map(({ kind }) => kind))]).toEqual(kinds);
});

/** A project that says a line, or has a property that says it. */
function projectWith(word: string, text: string): Record<string, string> {
  const isOfService = word.startsWith("service: ");
  const isOfProperty = word.startsWith("resource: property.");
  const line = isOfProperty || isOfService ? "" : `${text}\n`;
  const one = isOfProperty ? text : "string";
  const service = isOfService ? text : /access\.|owner/.test(word) ? TOKENS : "";
  return {
    "service.yaml": `service: helpdesk\nversions: { v1: draft }\n${service}\n`,
    "resources/v1/users.yaml":
      "resource: users\nentity: user\nproperties: { lists: { type: array, items: { type: string, maxLength: 9 } } }\n",
    "resources/v1/tickets.yaml": `resource: tickets\nentity: ticket\nproperties:\n  ${nameOf(text)}: ${one}\n${line}`,
  };
}

const TOKENS =
  "authentication: { scheme: bearer, issuer: https://a.example.com/, audience: desk, keys: a.json }";

/** The name of an array is a plural. */
function nameOf(text: string): string {
  return text.includes("type: array") ? "values" : "value";
}

test("every kind of edit is of some word", () => {
  const known = new Set<string>(WITH_KINDS.flatMap(([, kinds]) => kinds));
  expect(Object.keys(CHANGE_KINDS).filter((kind) => !known.has(kind))).toEqual([]);
});

/** The words whose values differ in a fixture, before and after its edit. */
function editedWords(kind: ChangeKindId): ReadonlySet<string> {
  const [before, after] = [wordsOfProject(kind, "before"), wordsOfProject(kind, "after")];
  const all = new Set([...before.keys(), ...after.keys()]);
  return new Set([...all].filter((word) => before.get(word) !== after.get(word)));
}

function wordsOfProject(kind: ChangeKindId, side: "before" | "after"): Map<string, string> {
  return wordsOfTexts(fixtureProject(kind, side));
}

/** Each word that a project uses, with all that is said by it. */
function wordsOfTexts(texts: Readonly<Record<string, string>>): Map<string, string> {
  const found = Object.entries(texts).flatMap(([path, text]) => {
    const name = path === "service.yaml" ? "service" : "resource";
    return wordsIn(parse(text) as unknown, schemaOf(name)).map(
      ({ word, value, place }) => [`${name}: ${word}`, `${path} ${place} ${value}`] as const,
    );
  });
  const said = new Map<string, string>();
  for (const [word, one] of found) said.set(word, `${said.get(word) ?? ""}${one}\n`);
  return said;
}
