import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { CLASSES } from "../../../src/cli/changes-text.js";
import { render } from "../../../src/render/render.js";
import { changesBetween, versionOf } from "../../support/change-fixtures.js";
import type { Texts } from "../../support/render-files.js";
import { EDITS_OF_SERVICE } from "./edits-of-service.js";
import { wordsOf, type Schema } from "./words-of-schema.js";

const SCHEMA = JSON.parse(readFileSync("schemas/service.schema.json", "utf8")) as Schema;

const RESOURCE = `resource: orders
entity: order
events: [created]
properties:
  note: string
  tags: { type: array, items: string }
  site: { reference: depots, external: true }
`;

const EDITS = Object.entries(EDITS_OF_SERVICE).flatMap(([keyword, known]) =>
  typeof known === "string" ? [] : [{ keyword, ...known }],
);

function projectWith(lines: string): Texts {
  const given = [
    ["service:", "service: shop"] as const,
    ["versions:", "versions: { v1: draft }"] as const,
  ]
    .filter(([key]) => !lines.startsWith(key))
    .map(([, line]) => `${line}\n`);
  return { "service.yaml": `${given.join("")}${lines}`, "resources/v1/orders.yaml": RESOURCE };
}

/** Members of a document that hold text for people. */
const DESCRIPTIVE = new Set(["title", "description", "summary", "contact", "license"]);

function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !DESCRIPTIVE.has(name));
  return Object.fromEntries(members.map(([name, one]) => [name, withoutText(one)]));
}

/** What clients and subscribers are shown of a service: its documents without their texts. */
function documents(emitted: Texts): unknown {
  return ["openapi/v1.json", "asyncapi/v1.json"].map((path) =>
    withoutText(JSON.parse(emitted[path] ?? "")),
  );
}

/** The code that serves them, without its comments: what it says shows on the wire. */
function served(emitted: Texts): unknown {
  const code = Object.entries(emitted).filter(([path]) => path.startsWith("src/generated/"));
  return code.map(([path, text]) => [path, text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")]);
}

async function emittedBy(lines: string): Promise<Texts> {
  const { service } = await versionOf(projectWith(lines));
  const outputs = await render(service);
  return Object.fromEntries(outputs.map(({ path, text }) => [path, text ?? ""]));
}

test("every keyword of service.yaml has an edit here, or holds others", () => {
  expect(Object.keys(EDITS_OF_SERVICE).sort()).toEqual(wordsOf(SCHEMA).sort());
});

test.each(EDITS)("an edit of $keyword has its verdict", async ({ before, after, verdict, why }) => {
  const [was, is] = [await versionOf(projectWith(before)), await versionOf(projectWith(after))];
  const found = changesBetween(was, is).map((change) => change.class);
  const [first = null] = CLASSES.filter((one) => found.some((own) => own === one));
  expect(first).toBe(verdict === "status" ? null : verdict);
  expect(why !== undefined).toBe(verdict === null);
});

test.each(EDITS)("what an edit of $keyword changes agrees with its verdict", async (edit) => {
  const [was, is] = [await emittedBy(edit.before), await emittedBy(edit.after)];
  const isShown = !isDeepStrictEqual(documents(was), documents(is));
  if (edit.verdict === null || edit.verdict === "internal") expect(isShown).toBe(false);
  const isServed = !isDeepStrictEqual(served(was), served(is));
  if (edit.verdict === "breaking") expect(isShown || isServed).toBe(true);
});
