import { stringify } from "yaml";
import type { Texts } from "../support/render-files.js";

type Yaml = Readonly<Record<string, unknown>>;

/** A place of the language where a text stands, and a harmless text for it. */
export interface Place {
  readonly place: string;
  readonly harmless: string;
  readonly put: (text: string) => { readonly service?: Yaml; readonly resource?: Yaml };
}

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
export const FREE: readonly Place[] = [
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
export const FORMED: readonly Place[] = [
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
      resource: withStates({ transitions: { open: [state], closed: [] } }),
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
export function project({ put }: Place, text: string): Texts {
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
