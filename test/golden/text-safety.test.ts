import { isMap, isScalar, parseDocument, stringify } from "yaml";
import { expect, test } from "vitest";
import { posix } from "node:path";
import { wholeService } from "../support/compiled-service.js";
import { PAYLOADS } from "../support/emitted-names.js";
import { maskedSyntax } from "../support/masked-syntax.js";
import { renderFiles, type Texts } from "../support/render-files.js";
import { sqlTokens } from "../support/sql-tokens.js";

type Yaml = Readonly<Record<string, unknown>>;

/** A place of the language where a text stands, and a harmless text for it. */
interface Place {
  readonly place: string;
  readonly harmless: string;
  readonly put: (text: string) => { readonly service?: Yaml; readonly resource?: Yaml };
}

const MARK = "PWNED_MARK";

const inProperty = (keywords: Yaml) => ({
  resource: { properties: { note: { type: "string", ...keywords } } },
});
const nested = (property: Yaml, depth: number): Yaml =>
  depth === 0 ? property : nested({ type: "object", properties: { inner: property } }, depth - 1);
const atDepth = (keywords: Yaml, depth: number) => ({
  resource: { properties: { outer: nested({ type: "string", ...keywords }, depth) } },
});
const inItems = (keywords: Yaml) => ({
  resource: { properties: { notes: { type: "array", items: { type: "string", ...keywords } } } },
});
const rule = (reason: string) => ({
  service: { rules: { "NAM-3": { level: "warning", reason } } },
});

/** Texts that can say anything. */
const FREE: readonly Place[] = [
  { place: "title", harmless: "x", put: (title) => ({ service: { title } }) },
  {
    place: "description of the service",
    harmless: "x",
    put: (text) => ({ service: { description: text } }),
  },
  { place: "reason of a rule", harmless: "x", put: rule },
  {
    place: "description of a resource",
    harmless: "x",
    put: (text) => ({ resource: { description: text } }),
  },
  { place: "description", harmless: "x", put: (text) => inProperty({ description: text }) },
  {
    place: "description, one down",
    harmless: "x",
    put: (text) => atDepth({ description: text }, 1),
  },
  {
    place: "description, two down",
    harmless: "x",
    put: (text) => atDepth({ description: text }, 2),
  },
  { place: "description of items", harmless: "x", put: (text) => inItems({ description: text }) },
  { place: "default", harmless: "x", put: (text) => inProperty({ default: text }) },
  { place: "default, two down", harmless: "x", put: (text) => atDepth({ default: text }, 2) },
  { place: "example", harmless: "x", put: (text) => inProperty({ example: text }) },
  { place: "example of items", harmless: "x", put: (text) => inItems({ example: text }) },
  {
    place: "example of a list",
    harmless: "x",
    put: (text) => ({
      resource: { properties: { notes: { type: "array", items: "string", example: [text] } } },
    }),
  },
  {
    place: "example of an object",
    harmless: "x",
    put: (text) => ({
      resource: {
        properties: { part: { type: "object", properties: { a: "string" }, example: { a: text } } },
      },
    }),
  },
];

/** Texts with a form of their own: most payloads are refused there. */
const FORMED: readonly Place[] = [
  { place: "name of the service", harmless: "desk", put: (service) => ({ service: { service } }) },
  { place: "basePath", harmless: "/api", put: (basePath) => ({ service: { basePath } }) },
  {
    place: "version",
    harmless: "v1",
    put: (name) => ({ service: { versions: { [name]: "draft" } } }),
  },
  {
    place: "singular of an inflection",
    harmless: "beef",
    put: (one) => ({ service: { inflections: { [one]: "beeves" } } }),
  },
  {
    place: "plural of an inflection",
    harmless: "beeves",
    put: (many) => ({ service: { inflections: { beef: many } } }),
  },
  { place: "resource", harmless: "tickets", put: (resource) => ({ resource: { resource } }) },
  { place: "entity", harmless: "ticket", put: (entity) => ({ resource: { entity } }) },
  {
    place: "name of a property",
    harmless: "note",
    put: (name) => ({ resource: { properties: { [name]: "string" } } }),
  },
  {
    place: "name of a nested property",
    harmless: "note",
    put: (name) => ({
      resource: { properties: { part: { type: "object", properties: { [name]: "string" } } } },
    }),
  },
  {
    place: "value of an enum",
    harmless: "open",
    put: (value) => ({ resource: { properties: { kind: { enum: [value] } } } }),
  },
  {
    place: "default of an enum",
    harmless: "open",
    put: (value) => ({
      resource: { properties: { kind: { enum: ["open"], default: value } } },
    }),
  },
  {
    place: "pattern",
    harmless: "^[a-z]$",
    put: (pattern) => inProperty({ pattern, maxLength: 20 }),
  },
  {
    place: "pattern of items",
    harmless: "^[a-z]$",
    put: (pattern) => inItems({ pattern, maxLength: 20 }),
  },
  {
    place: "type",
    harmless: "string",
    put: (type) => ({ resource: { properties: { note: type } } }),
  },
  { place: "format", harmless: "email", put: (format) => inProperty({ format }) },
  {
    place: "bound of a decimal",
    harmless: "1.00",
    put: (minimum) => inProperty({ type: "decimal", scale: 2, minimum }),
  },
  {
    place: "example of a decimal",
    harmless: "1.00",
    put: (example) => inProperty({ type: "decimal", scale: 2, example }),
  },
  {
    place: "example of a time",
    harmless: "2024-02-29T00:00:00.000Z",
    put: (example) => inProperty({ type: "timestamp", example }),
  },
  {
    place: "operation",
    harmless: "list",
    put: (operation) => ({ resource: { operations: [operation] } }),
  },
  {
    place: "caller",
    harmless: "anyone",
    put: (caller) => ({ resource: { access: { read: [caller] } } }),
  },
  { place: "count", harmless: "exact", put: (count) => ({ resource: { count } }) },
  {
    place: "identifiers",
    harmless: "ordered",
    put: (identifiers) => ({ service: { identifiers } }),
  },
  { place: "key of service.yaml", harmless: "title", put: (key) => ({ service: { [key]: "x" } }) },
  {
    place: "key of a resource",
    harmless: "description",
    put: (key) => ({ resource: { [key]: "x" } }),
  },
  { place: "key of a property", harmless: "description", put: (key) => inProperty({ [key]: "x" }) },
  {
    place: "name of an alias",
    harmless: "recent",
    put: (name) => ({
      resource: {
        properties: { note: { type: "string", sortable: true } },
        aliases: { [name]: { where: { note: "x" } } },
      },
    }),
  },
  {
    place: "description of an alias",
    harmless: "x",
    put: (description) => ({
      resource: {
        properties: { note: "string" },
        aliases: { recent: { description, where: { note: "x" } } },
      },
    }),
  },
  {
    place: "value that an alias asks for",
    harmless: "x",
    put: (value) => ({
      resource: { properties: { note: "string" }, aliases: { recent: { where: { note: value } } } },
    }),
  },
  {
    place: "sort of an alias",
    harmless: "note",
    put: (sort) => ({
      resource: {
        properties: { note: { type: "string", sortable: true } },
        aliases: { recent: { where: { note: "x" }, sort: [sort] } },
      },
    }),
  },
  {
    place: "initial state",
    harmless: "open",
    put: (initial) => ({ resource: withStates({ initial }) }),
  },
  {
    place: "state",
    harmless: "closed",
    put: (state) => ({
      resource: withStates({ transitions: { open: [state] } }),
    }),
  },
];

function withStates(states: Yaml): Yaml {
  const transitions = { open: ["closed"], closed: [] };
  return {
    properties: { status: { enum: ["open", "closed"], default: "open", required: true } },
    states: { property: "status", initial: "open", transitions, ...states },
  };
}

/** The project with a text in one place; the file is named as if nothing were the matter. */
function project({ put }: Place, text: string): Texts {
  const { service = {}, resource = {} } = put(text);
  const print = (yaml: Yaml): string =>
    stringify(yaml, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 });
  return {
    "service.yaml": print({ service: "desk", ...service }),
    "resources/v1/tickets.yaml": print({
      resource: "tickets",
      entity: "ticket",
      properties: { note: "string" },
      ...resource,
    }),
  };
}

/** Every emitted file with what a text may change left out; throws for one that is not well formed. */
async function skeleton(files: Texts): Promise<Record<string, string> | "refused"> {
  const result = await renderFiles(files);
  if (!result.ok) {
    for (const { span, message } of result.diagnostics) {
      expect(Object.keys(files)).toContain(span.file);
      expect(span.line).toBeGreaterThan(0);
      expect(span.column).toBeGreaterThan(0);
      expect(message).not.toBe("");
    }
    return "refused";
  }
  const own = Object.entries(await wholeService(result.value)).filter(
    ([path]) => !path.startsWith("src/generated/kernel/"),
  );
  for (const [path] of own) expect(isInside(path), path).toBe(true);
  return Object.fromEntries(own.map(([path, text]) => [path, shape(path, text)]));
}

function isInside(path: string): boolean {
  return /^[\w./-]+$/.test(path) && posix.normalize(path) === path && !/^(?:\/|\.\.)/.test(path);
}

/** What a tool reads in a file, without what its texts say. */
function shape(path: string, text: string): string {
  // eslint-disable-next-line no-control-regex -- looking for exactly those
  expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  if (path.endsWith(".ts")) return maskedSyntax(path, text);
  if (path.endsWith(".json")) return keys(JSON.parse(text));
  if (path.endsWith(".sql")) return sqlTokens(text).join(" ");
  if (/\.ya?ml$/.test(path)) return yamlKeys(text);
  if (path.endsWith(".md")) return markup(text);
  return text;
}

/** The structure of a JSON value: keys, and the kinds of values. */
function keys(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keys).join(",")}]`;
  if (typeof value !== "object" || value === null) return typeof value;
  return `{${Object.entries(value)
    .map(([key, held]) => `${key}:${keys(held)}`)
    .join(",")}}`;
}

/** What Markdown and HTML act upon, a line each; lines of plain words are left out. */
function markup(text: string): string {
  const lines = text.replace(/&#\d+;/g, "").split("\n");
  const signs = lines.map((line) => line.match(/[<>|#`*_[\]!{}\\&~]|^\s*[-+=:]|^\s*\d+[.)]/g));
  return signs.flatMap((found) => (found === null ? [] : [found.join("")])).join("\n");
}

function yamlKeys(text: string): string {
  const { contents, errors } = parseDocument(text);
  expect(errors).toEqual([]);
  expect(isMap(contents)).toBe(true);
  return isMap(contents)
    ? contents.items.map(({ key }) => (isScalar(key) ? String(key.value) : "?")).join(",")
    : "";
}

test.each([...FREE, ...FORMED])("$place: a harmless text is accepted", async (place) => {
  expect(await skeleton(project(place, place.harmless))).not.toBe("refused");
});

test.each(FREE)("$place: a payload is told or does nothing", async (place) => {
  const twin = await skeleton(project(place, place.harmless));
  const refused: string[] = [];
  for (const { id, text } of PAYLOADS.code_payloads) {
    const found = await skeleton(project(place, text));
    if (found === "refused") refused.push(id);
    else expect(found, id).toEqual(twin);
  }
  // What nobody can see is told; all else is a text like any other.
  expect(refused).toEqual(["nel0085", "nul", "bidi"]);
});

test.each(FORMED)("$place: a payload is told or does nothing", async (place) => {
  const twin = await skeleton(project(place, place.harmless));
  for (const { id, text } of PAYLOADS.code_payloads) {
    const found = await skeleton(project(place, text));
    if (found !== "refused") expect(found, id).toEqual(twin);
  }
});

const NAMED = FORMED.filter(({ harmless }) =>
  /^(?:desk|v1|tickets?|note|open|recent)$/.test(harmless),
);
const NAMES = [
  ...PAYLOADS.path_names,
  ...PAYLOADS.windows_device_names,
  ...PAYLOADS.prototype_names,
];

test.each(NAMED)(
  "$place: the name of a path, a device or a prototype stays inside",
  async (place) => {
    for (const name of NAMES) {
      const found = await skeleton(project(place, name));
      if (found === "refused") continue;
      expect(name, `${place.place} ${name}`).toMatch(/^[a-z][a-zA-Z0-9-]*$/);
      expect(JSON.stringify(found)).not.toContain("__proto__");
    }
  },
);

test("the judge finds text that has become code", () => {
  const quoted = maskedSyntax("a.ts", 'export const text = "harmless";\n');
  expect(maskedSyntax("a.ts", `export const text = "${MARK}()";\n`)).toBe(quoted);
  expect(maskedSyntax("a.ts", `export const text = "" + ${MARK}() + "";\n`)).not.toBe(quoted);
  expect(maskedSyntax("a.ts", `/* x */ ${MARK}(); export const text = "";\n`)).not.toBe(quoted);
  expect(maskedSyntax("a.ts", '// @ts-nocheck\nexport const text = "";\n')).not.toBe(quoted);
  expect(() => maskedSyntax("a.ts", 'export const text = "harm\nless";\n')).toThrow();
  expect(sqlTokens("SELECT 'a''b' -- c")).toEqual(["SELECT", "text"]);
  expect(() => sqlTokens("SELECT 'a")).toThrow();
});
