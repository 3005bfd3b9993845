import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gaps, hostileCases } from "../support/hostile-cases.js";
import { HELD } from "../support/held-schemas.js";
import { checkProject, type Checked } from "./validate/check-project.js";

interface Case {
  readonly id: string;
  readonly what: string;
  readonly outcome: "reject" | "accept" | "warn";
  readonly data?: {
    readonly text?: string;
    readonly texts?: readonly string[];
    readonly names?: readonly string[];
    readonly pattern?: string;
    readonly patterns?: readonly string[];
    readonly yaml?: string;
  };
}

interface Payloads {
  readonly code_payloads: readonly { readonly id: string; readonly text: string }[];
  readonly path_names: readonly string[];
  readonly prototype_names: readonly string[];
  readonly js_words: readonly string[];
  readonly sql_words: readonly string[];
  readonly windows_device_names: readonly string[];
  readonly redos_patterns: readonly { readonly pattern: string }[];
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(`fixtures/hostile/${name}.json`, "utf8")) as T;
}

const CASES = new Map(read<readonly Case[]>("schemas").map((hostile) => [hostile.id, hostile]));
const PAYLOADS = read<Payloads>("payloads");

/** The whole text of a resource file. */
type Build = (given: NonNullable<Case["data"]>) => readonly string[];

const TITLE = "properties:\n  title: string\n";
const head = (more: string): string => `resource: tickets\nentity: ticket\n${more}`;
const property = (yaml: string): string => head(`properties:\n  ${yaml}\n`);
const quoted = (text: string): string => JSON.stringify(text);
const description = (text: string): string => head(`description: ${quoted(text)}\n${TITLE}`);
const values = (texts: readonly string[]): string =>
  property(`status: { enum: [${texts.map(quoted).join(", ")}] }`);
const inDescription: Build = ({ text = "" }) => [description(text)];
const inEnum: Build = ({ text = "", texts = [text] }) => texts.map((one) => values([one]));
const inPattern: Build = ({ pattern = "", patterns = [pattern] }) =>
  patterns.map((one) => property(`code: { type: string, pattern: ${quoted(one)} }`));
const inName: Build = ({ names = [] }) => names.map((name) => property(`${quoted(name)}: string`));
const fixed =
  (...texts: readonly string[]): Build =>
  () =>
    texts;

/** How the cases that concern reading and checking are written down. */
const BUILDS: Readonly<Record<string, Build>> = {
  "SCH-001": inDescription,
  "SCH-002": inDescription,
  "SCH-003": inDescription,
  "SCH-004": inDescription,
  "SCH-005": inDescription,
  "SCH-006": inDescription,
  "SCH-007": inDescription,
  "SCH-008": inDescription,
  "SCH-011": inDescription,
  "SCH-012": inDescription,
  "SCH-014": inDescription,
  "SCH-015": inDescription,
  "SCH-016": fixed(description("x".repeat(1_048_576)), description("x".repeat(5000))),
  "SCH-017": fixed(
    ...["2024-01-01", "5", "true", "null", "1.10", "~"].map((text) =>
      head(`description: ${text}\n${TITLE}`),
    ),
  ),
  "SCH-019": inEnum,
  "SCH-021": inEnum,
  "SCH-022": inEnum,
  "SCH-024": ({ texts = [] }) => [values(texts)],
  "SCH-025": ({ yaml = "" }) => [property(`status: { enum: ${yaml} }`)],
  "SCH-028": fixed(values(Array.from({ length: 10_000 }, (_, index) => `v${index}`))),
  "SCH-029": ({ text = "" }) => [property(`note: { type: string, default: ${quoted(text)} }`)],
  "SCH-030": ({ text = "" }) => [property(`note: { type: string, default: ${quoted(text)} }`)],
  "SCH-033": fixed(
    property("note: { type: string, maxLength: 2, default: abc }"),
    property("note: { enum: [a], default: b }"),
    property('note: { type: string, pattern: "^[0-9]$", default: a }'),
    property("note: { type: integer, minimum: 2, default: 1 }"),
  ),
  "SCH-034": fixed(property("note: { type: string, required: true, default: null }")),
  "SCH-037": inPattern,
  "SCH-039": inPattern,
  "SCH-042": inPattern,
  "SCH-043": fixed(property(`code: { type: string, pattern: "^${"a".repeat(4000)}$" }`)),
  "SCH-044": inPattern,
  "SCH-050": ({ texts = [] }) =>
    texts.map((text) => head(`${TITLE}access: { read: [${quoted(`role:${text}`)}] }\n`)),
  "SCH-051": ({ text = "" }) => [
    head(`${TITLE}indexes: [[${quoted(text)}]]\n`),
    head(`${TITLE}aliases: { recent: { sort: [${quoted(text)}] } }\n`),
  ],
  "SCH-052": ({ text = "" }) => [
    property(`a: { type: integer, computed: ${quoted(text)} }`),
    property(`a: { type: integer, check: ${quoted(text)} }`),
  ],
  "SCH-054": inName,
  "SCH-057": ({ names = [] }) =>
    names.filter((name) => /^[a-z]/.test(name)).map((name) => property(`${name}: string`)),
  "SCH-059": ({ names = [] }) =>
    names
      .filter((name) => !["xmin", "ctid", "tableoid"].includes(name))
      .map((name) => property(`${name}: string`)),
  "SCH-063": fixed(property("id: string"), property("uuid: string")),
  "SCH-064": inName,
  "SCH-065": fixed(property("a: { type: object, properties: { b: string } }\n  a.b: string")),
  "SCH-067": ({ names = [] }) => [property(names.map((name) => `${name}: string`).join("\n  "))],
  "SCH-073": fixed(head(TITLE).replace("tickets", "openapi"), head(TITLE).replace("tickets", "v1")),
  "SCH-077": fixed(property(`${"a".repeat(64)}: string\n  ${"a".repeat(63)}b: string`)),
  "SCH-078": ({ names = [] }) => names.map((name) => head(TITLE).replace("tickets", quoted(name))),
  "SCH-079": fixed(
    ...[".", "..", ".git", ".env", "tickets.", "tickets "].map((name) =>
      head(TITLE).replace("tickets", quoted(name)),
    ),
  ),
  "SCH-081": fixed(head(`${TITLE}parent: orders\n`)),
  "SCH-082": fixed(property("tag: { type: array, items: string }")),
  "SCH-097": fixed(`%TAG ! x\n---\n${head(TITLE)}`, property("title: !x string")),
  "SCH-098": fixed(
    ...["js/function", "js/regexp", "python/object", "binary", "timestamp", "omap", "set"].map(
      (tag) => head(`description: !!${tag} "x"\n${TITLE}`),
    ),
  ),
  "SCH-099": fixed(`${head(TITLE)}---\n${head(TITLE)}`),
  "SCH-100": fixed("", "# c\n", "---\n", "null\n"),
  "SCH-101": fixed("- a\n", "text\n"),
  "SCH-104": fixed(head(TITLE).replaceAll("\n", "\r\n"), head(TITLE).trimEnd()),
  "SCH-105": fixed(head(TITLE).replaceAll("\n", "\r")),
  "SCH-106": fixed(
    ...["no", "yes", "on", "off", "y", "n"].flatMap((word) => [
      property(`a: { type: string, required: ${word} }`),
      property(`a: { enum: [${word}] }`),
    ]),
  ),
  "SCH-107": fixed(
    ...["1.10", "1e3", "0o17", "0x1f", "1_000", "12:30:45", "2024-01-01", ".inf", ".nan", "~"].map(
      (text) => head(`description: ${text}\n${TITLE}`),
    ),
  ),
  "SCH-108": fixed(property("size: { type: integer, maximum: 9007199254740993 }")),
  "SCH-110": fixed(property('a: string\n  "a": string')),
  "SCH-112": fixed(property("a: { type: string, requierd: true }")),
  "SCH-119": fixed(`# DO NOT EDIT. Code generated by generator.\n${head(TITLE)}`),
  "SCH-121": fixed(property('a: { $ref: "#/properties/a" }')),
  "SCH-122": fixed(description("${HOME} $(id)")),
  "SCH-127": fixed(head(`${TITLE}parent: [orders, users]\n`), head(`${TITLE}parent: tickets\n`)),
  "SCH-134": fixed(
    property('a: { type: integer, pattern: "^a$" }'),
    property("a: { type: integer, format: email }"),
    property("a: { type: string, minimum: 1 }"),
    property("a: { type: boolean, enum: [x] }"),
  ),
  "SCH-135": fixed(property("a: { type: string, format: emial }")),
  "SCH-136": fixed(
    property("a: { type: string, nullable: true, required: true }"),
    property("a: { type: string, readOnly: true, required: true }"),
  ),
  "SCH-137": fixed(
    property("a: { type: string, maxLength: 10000, unique: true }"),
    property("as: { type: array, items: string, unique: true }"),
  ),
  "SCH-140": fixed(head(`${TITLE}states: { property: status }\n`)),
  "SCH-141": fixed(
    ...["0h", "-1h", "1000000000000h"].map((window) =>
      head(
        `properties:\n  due: timestamp\naliases: { recent: { where: { due: { within: ${window} } } } }\n`,
      ),
    ),
    head(`${TITLE}aliases: { recent: { where: { title: { within: 1h } } } }\n`),
  ),
  "SCH-143": fixed(
    head(`${TITLE}paging: { defaultSize: 50, maximumSize: 20 }\n`),
    head(`${TITLE}paging: { maximumSize: 0 }\n`),
    head(`${TITLE}paging: { maximumSize: 1000000 }\n`),
  ),
  "SCH-151": fixed(
    property("token: { type: string, default: hunter2-hunter2 }"),
    property("note: { type: string, example: AKIAABCDEFGHIJKLMNOP }"),
  ),
};

test("every case of the corpus is tried, here or where it is said", () => {
  expect(gaps(hostileCases("schemas"), Object.keys(BUILDS), HELD)).toEqual([]);
});

async function check(text: string): Promise<Checked> {
  return checkProject({
    "service.yaml": "service: helpdesk\n",
    "resources/v1/tickets.yaml": text,
  });
}

const RUNS = Object.entries(BUILDS).flatMap(([id, build]) => {
  const hostile = CASES.get(id);
  if (hostile === undefined) throw new Error(`${id} is no case of the corpus`);
  return build(hostile.data ?? {}).map((text) => ({
    id,
    what: hostile.what,
    outcome: hostile.outcome,
    text,
  }));
});

test.each(RUNS)("$id $what: $outcome", async ({ outcome, text }) => {
  const checked = await check(text);
  const found = checked.diagnostics.map(({ code, message }) => `${code} ${message}`);
  if (outcome === "reject") expect(checked.ok, found.join("\n")).toBe(false);
  if (outcome === "accept") expect(found).toEqual([]);
  if (outcome === "warn") expect(found.length).toBeGreaterThan(0);
  for (const { span } of checked.diagnostics) {
    expect(span.line).toBeGreaterThan(0);
    expect(span.column).toBeGreaterThan(0);
  }
});

test.each(PAYLOADS.code_payloads)(
  "$id in a text is kept as it is, or refused",
  async ({ text }) => {
    const checked = await check(description(text));
    const unseen = /[\0-\x08\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(text);
    expect(checked.ok).toBe(!unseen);
  },
);

test.each(PAYLOADS.code_payloads)("$id in a name or an enum is refused", async ({ text }) => {
  expect((await check(property(`${quoted(text)}: string`))).ok).toBe(false);
  expect((await check(values([text]))).ok).toBe(false);
  expect((await check(head(TITLE).replace("tickets", quoted(text)))).ok).toBe(false);
});

test.each([...PAYLOADS.path_names, ...PAYLOADS.windows_device_names])(
  "%s is no resource",
  async (name) => {
    const text = `resource: ${quoted(name)}\nentity: ${quoted(name)}\n${TITLE}`;
    const service = "service: helpdesk\ninflections: { con: con, aux: aux, nul: nul, prn: prn }\n";
    const files = { "service.yaml": service, "resources/v1/tickets.yaml": text };
    expect((await checkProject(files)).ok).toBe(false);
  },
);

test("names that every object has are refused, but for length and arguments", async () => {
  const refused = PAYLOADS.prototype_names.filter(
    (name) => !["length", "arguments"].includes(name),
  );
  for (const name of refused) {
    expect((await check(property(`${quoted(name)}: string`))).ok, name).toBe(false);
  }
});

test("words of JavaScript and of SQL are names like any other", async () => {
  const columns = ["oid", "xmax", "cmin", "cmax", "tableoid"];
  const words = [...PAYLOADS.js_words, ...PAYLOADS.sql_words].filter(
    (word) => /^[a-z][a-zA-Z]*$/.test(word) && ![...columns, "then", "offset"].includes(word),
  );
  const { ok, diagnostics } = await check(
    head(
      `properties:\n${[...new Set(words)].map((word) => `  ${quoted(word)}: string\n`).join("")}`,
    ),
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(ok).toBe(true);
});

test.each(PAYLOADS.redos_patterns)("the pattern $pattern is refused", async ({ pattern }) => {
  const checked = await check(property(`code: { type: string, pattern: ${quoted(pattern)} }`));
  // Exponential, not to be proved within the time, or polynomial.
  expect(checked.diagnostics.map(({ code }) => code)).toEqual([
    expect.stringMatching(/^SCH-(?:17|111|112)$/),
  ]);
});

test.each([
  "^[0-9]{4}$",
  "^\\p{L}+$",
  "^[a-z]+(-[a-z]+)*$",
  "^[A-Z]{2}[0-9]{6}$",
  "^\\+?[0-9 ]{3,20}$",
  "^#[0-9a-f]{6}$",
  "^[^@]+@[^@]+$",
  "^(?:[01]\\d|2[0-3]):[0-5]\\d$",
  "^[\\u{1F600}-\\u{1F64F}]+$",
])("the pattern %s is accepted", async (pattern) => {
  const checked = await check(property(`code: { type: string, pattern: ${quoted(pattern)} }`));
  expect(checked.diagnostics).toEqual([]);
});
