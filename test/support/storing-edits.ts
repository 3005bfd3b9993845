import type { Schemas, Yaml } from "./schema-walk.js";

/** What was removed before, and by which name. */
const RETIRED = { old: "nobody reads it", oldFee: "nobody reads it" };

/** The properties that `things` had then. */
export const ONCE: Yaml = {
  old: { type: "string", maxLength: 40 },
  oldFee: { type: "decimal", scale: 1 },
};

/** What branches begin with: a property of its own for each kind of edit, most of which are sorted by or filtered. */
export const STORED: Schemas = {
  days: { entity: "day", properties: { label: { type: "string", maxLength: 20 } } },
  weeks: { entity: "week", properties: { label: { type: "string", maxLength: 20 } } },
  things: {
    entity: "thing",
    removed: RETIRED,
    properties: {
      title: { type: "string", maxLength: 40, required: true },
      note: { type: "string", maxLength: 40 },
      size: { type: "integer", filterable: true },
      count: { type: "integer", required: true },
      price: { type: "decimal", scale: 2, sortable: true },
      fee: { type: "decimal", scale: 1, required: true },
      due: { type: "string", format: "date" },
      sent: { type: "timestamp", sortable: true },
      status: { enum: ["open", "closed"], required: true, filterable: true },
      day: { reference: "days", required: true },
      other: { reference: "days" },
      plain: { type: "uuid" },
      days: { type: "array", items: { reference: "days" } },
      tags: { type: "array", items: { type: "string", maxLength: 30 }, filterable: true },
      place: {
        type: "object",
        properties: {
          street: { type: "string", maxLength: 60, filterable: true },
          toll: { type: "decimal", scale: 1 },
          zip: { type: "string", maxLength: 9 },
        },
      },
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: { sku: { type: "string" }, cost: { type: "decimal", scale: 1 } },
        },
      },
    },
  },
  notes: {
    entity: "note",
    properties: { thing: { reference: "things" }, text: { type: "string", maxLength: 40 } },
  },
};

/** An edit of schemas; null where what it edits is not there, as git would leave it to a person. */
export type StoringEdit = (schemas: Schemas) => Schemas | null;

/** Says other things of a property of `things`. */
function says(path: string, keywords: Yaml): StoringEdit {
  return inThings(path, (yaml) => ({ ...yaml, ...keywords }));
}

/** Says something else of it altogether. */
function becomes(path: string, yaml: Yaml): StoringEdit {
  return inThings(path, () => yaml);
}

function inThings(path: string, edit: (yaml: Yaml) => Yaml): StoringEdit {
  return (schemas) => edited(schemas, (properties) => at(properties, path.split("."), edit));
}

function edited(schemas: Schemas, edit: (properties: Yaml) => Yaml | null): Schemas | null {
  const { things } = schemas;
  const properties = things && edit(things["properties"] as Yaml);
  return properties ? { ...schemas, things: { ...things, properties } } : null;
}

function at(properties: Yaml, path: readonly string[], edit: (yaml: Yaml) => Yaml): Yaml | null {
  const [name = "", ...rest] = path;
  const yaml = properties[name] as Yaml | undefined;
  if (yaml === undefined) return null;
  if (rest.length === 0) return { ...properties, [name]: edit(yaml) };
  const items = yaml["items"] as Yaml | undefined;
  const inner = at((items ?? yaml)["properties"] as Yaml, rest, edit);
  const now = items
    ? { ...yaml, items: { ...items, properties: inner } }
    : { ...yaml, properties: inner };
  return inner && { ...properties, [name]: now };
}

function adds(name: string, yaml: Yaml): StoringEdit {
  return (schemas) =>
    edited(schemas, (properties) => (name in properties ? null : { ...properties, [name]: yaml }));
}

function renames(from: string, to: string): StoringEdit {
  return (schemas) =>
    edited(schemas, ({ [from]: yaml, ...rest }) =>
      yaml === undefined ? null : { ...rest, [to]: { ...(yaml as Yaml), renamedFrom: from } },
    );
}

function removes(name: string): StoringEdit {
  return (schemas) => {
    const { things } = schemas;
    const { [name]: gone, ...properties } = (things?.["properties"] ?? {}) as Yaml;
    if (things === undefined || gone === undefined) return null;
    const removed = { ...(things["removed"] as Yaml), [name]: "nobody reads it" };
    return { ...schemas, things: { ...things, properties, removed } };
  };
}

function restores(name: string, yaml: Yaml): StoringEdit {
  return (schemas) => {
    const { things } = schemas;
    const { [name]: gone, ...removed } = (things?.["removed"] ?? {}) as Yaml;
    if (things === undefined || gone === undefined) return null;
    const properties = { ...(things["properties"] as Yaml), [name]: yaml };
    const { removed: _removed, ...rest } = things;
    const noted = Object.keys(removed).length > 0 && { removed };
    return { ...schemas, things: { ...rest, ...noted, properties } };
  };
}

/** Each kind of edit that changes what is stored, by a name for people. */
export const STORING_EDITS: Readonly<Record<string, StoringEdit>> = {
  "add optional": adds("extra", { type: "integer" }),
  "add required": adds("extra", { type: "string", maxLength: 9, required: true, default: "new" }),
  "add sorted": adds("rank", { type: "decimal", scale: 1, sortable: true }),
  "add unique": adds("code", { type: "string", maxLength: 40, unique: true }),
  "add reference": adds("week", { reference: "weeks" }),
  "add list of references": adds("weeks", { type: "array", items: { reference: "weeks" } }),
  "add member": inThings("place", (yaml) => ({
    ...yaml,
    properties: {
      ...(yaml["properties"] as Yaml),
      gate: { type: "integer", required: true, default: 3 },
    },
  })),
  "restore optional": restores("old", { type: "string", maxLength: 40 }),
  "restore required": restores("old", {
    ...{ type: "string", maxLength: 40, required: true, default: "none" },
  }),
  "restore required with more digits": restores("oldFee", {
    ...{ type: "decimal", scale: 2, required: true, default: "1.50" },
  }),
  "rename text": renames("title", "name"),
  "rename sorted": renames("price", "amount"),
  "rename reference": renames("day", "start"),
  "rename list of references": renames("days", "dates"),
  "rename object": renames("place", "spot"),
  "remove optional": removes("note"),
  "remove required": removes("count"),
  "remove filtered": removes("status"),
  "remove required reference": removes("day"),
  "remove optional reference": removes("other"),
  "remove list of references": removes("days"),
  "more digits, sorted": says("price", { scale: 3 }),
  "more digits, required": says("fee", { scale: 2 }),
  "integer to decimal, filtered": says("size", { type: "decimal", scale: 2 }),
  "integer to number": says("count", { type: "number" }),
  "integer to text": becomes("size", { type: "string", maxLength: 40 }),
  "date to timestamp": becomes("due", { type: "timestamp" }),
  "enum to text": becomes("status", { type: "string", maxLength: 40, required: true }),
  "more digits in an object": says("place.toll", { scale: 2 }),
  "more digits in a list": says("lines.cost", { scale: 2 }),
  "required now": says("note", { required: true, default: "none" }),
  "required now, sorted": says("sent", { required: true }),
  "required reference now": says("other", { required: true }),
  "no longer required": says("title", { required: false }),
  "no longer required reference": says("day", { required: false }),
  "no longer required and more digits": says("fee", { required: false, scale: 3 }),
  "unique text": says("note", { unique: true }),
  "unique decimal": says("price", { unique: true }),
  "filtered date": says("due", { filterable: true }),
  "sorted text": says("title", { sortable: true }),
  "no longer filtered": says("size", { filterable: false }),
  "no longer sorted": says("price", { sortable: false }),
  "filtered in an object": says("place.zip", { filterable: true }),
  "reference to plain": becomes("other", { type: "uuid" }),
  "plain to reference": becomes("plain", { reference: "days" }),
  "narrower text": says("note", { maxLength: 20 }),
  "one value more": says("status", { enum: ["open", "closed", "held"] }),
  "new resource": (schemas) => ({
    ...schemas,
    marks: { entity: "mark", properties: { week: { reference: "weeks" } } },
  }),
  "new child": (schemas) => ({
    ...schemas,
    parts: { entity: "part", parent: "things", properties: { label: { type: "string" } } },
  }),
  "rename resource": ({ weeks, ...schemas }) =>
    weeks ? { ...schemas, spans: { ...weeks, renamedFrom: "weeks" } } : null,
  "rename identifier": ({ things, ...schemas }) =>
    things ? { ...schemas, things: { ...things, entity: "matter" } } : null,
  "rename resource that is referred to": ({ days, ...schemas }) =>
    days
      ? (JSON.parse(
          JSON.stringify({ ...schemas, dates: { ...days, renamedFrom: "days" } }).replaceAll(
            '"reference":"days"',
            '"reference":"dates"',
          ),
        ) as Schemas)
      : null,
  "remove resource": ({ notes, ...schemas }) => (notes ? schemas : null),
};
