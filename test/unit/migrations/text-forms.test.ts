import { expect, test } from "vitest";
import { FORMATS, type TextFormat } from "#runtime/input/text";
import { TEXT_FORMS } from "../../../src/kinds/string/text-forms.js";
import { afterEdit } from "./support.js";

// A text of one form may be one of another form, or never: then no row could be migrated (SCH-146).

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SEED = { run: "0192aaaa-0000-7000-8000-000000000000", index: 1, anchors: () => [] };
/** Texts of two forms. */
const OF_BOTH = ["192.0.2.1", "2026-01-31", "P1D", "EUR", "SE", "en", "fe80::1"];

const FORMS = [...(Object.keys(FORMATS) as TextFormat[]), "timestamp", "uuid"] as const;
type Form = (typeof FORMS)[number];

const matches = (form: Form, text: string): boolean => {
  if (form === "uuid") return UUID.test(text);
  if (form === "timestamp") return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
  return FORMATS[form].matches(text);
};
const samples = (form: Form): readonly string[] => {
  if (form === "uuid") return ["0192aaaa-0000-7000-8000-000000000000"];
  if (form === "timestamp") return ["2026-01-31T09:30:00.000Z"];
  const { samples: known, seeded } = TEXT_FORMS[form];
  const texts = [...(known.valid as readonly string[]), ...seeded(SEED, "word"), ...OF_BOTH];
  return texts.filter((text) => matches(form, text));
};
const yamlOf = (form: Form | null, more = ""): string =>
  form === "uuid" || form === "timestamp"
    ? `{ type: ${form} }`
    : `{ type: string${form === null ? "" : `, format: ${form}`}${more} }`;

/** What is said of an edit, by code. */
async function codesOf(before: string, after: string): Promise<readonly string[]> {
  const project = (yaml: string) => ({
    "service.yaml": "service: store\n",
    "resources/v1/things.yaml": `resource: things\nentity: thing\nproperties:\n  note: ${yaml}\n  notes: { type: array, items: ${yaml} }\n`,
  });
  const { following } = await afterEdit(project(before), project(after));
  return following.kind === "problems" ? following.problems.map(({ mistake }) => mistake.code) : [];
}

const PAIRS = FORMS.flatMap((from) =>
  FORMS.flatMap((to) => (from === to || to === "timestamp" || to === "uuid" ? [] : [{ from, to }])),
);

test.each(PAIRS)("$from to $to is refused where no text is of both", async ({ from, to }) => {
  const texts = [...samples(from), ...samples(to)];
  const isShared = texts.some((text) => matches(from, text) && matches(to, text));
  const codes = await codesOf(yamlOf(from), yamlOf(to));
  expect(codes).toEqual(isShared ? [] : ["SCH-146", "SCH-146"]);
});

test.each([
  ["timestamp", 23, 24],
  ["uuid", 35, 36],
  ["date", 9, 10],
] as const)("a %s that becomes a text needs its characters", async (from, few, enough) => {
  const refused = ["SCH-146", "SCH-146"];
  expect(await codesOf(yamlOf(from), yamlOf(null, `, maxLength: ${few}`))).toEqual(refused);
  expect(await codesOf(yamlOf(from), yamlOf(null, `, maxLength: ${enough}`))).toEqual([]);
});
