import type { Texts } from "../render-files.js";
import type { Yaml } from "./yaml.js";

/** The resources of a version by name, as their files say them. */
export type Documents = Readonly<Record<string, Yaml>>;

/** Two versions of the same resources, and the code that leads from one to the other and back. */
export interface Versions {
  readonly older: Documents;
  readonly newer: Documents;
  readonly code: Texts;
}

/** An edit of a property: what becomes of it, under which name; undefined: it is gone. */
interface Edit {
  readonly name: string;
  readonly becomes: readonly [name: string, yaml: Yaml] | undefined;
}

/** What the newer version makes others of. */
const CONVERTED = ["amount", "phase"];
/** What code writes is called the same in all versions. */
const WRITTEN_BY_CODE = ["mark", "carrier"];
/** Words of aliases, such as the caller, and the name of a parent: a search for them would find too much. */
const KEPT = ["status", "any", "where", "order", "title", "mine"];
const ADDED: readonly Yaml[] = [
  { type: "string", maxLength: 50 },
  { type: "integer", required: true, default: 7, filterable: true },
  { enum: ["low", "high"], required: true, default: "low", sortable: true },
];

/** The same resources in two versions: some unchanged, some with an edit of each kind that their properties allow. */
export function twoVersions(documents: Documents, turns: readonly number[]): Versions {
  const originals = Object.keys(documents).filter(
    (name) => documents[name]?.["represents"] === undefined,
  );
  const changed = originals.filter((_, index) => (turns[index] ?? 0) > 2);
  const converting = changed.filter((_, index) => (turns[index + 10] ?? 0) > 5);
  const byWords = converting.filter((_, index) => (turns[index + 15] ?? 0) > 4);
  const madeOf = (name: string): Yaml =>
    byWords.includes(name) ? madeByWords(turns[22] ?? 0) : MADE_BY_CODE;
  const older = mapped(documents, (yaml, name) =>
    converting.includes(name) ? withAmount(yaml) : yaml,
  );
  const edits = Object.fromEntries(
    changed.map((name) => [
      name,
      editsOf(older[name] ?? {}, turns, usedElsewhere(documents, name)),
    ]),
  );
  const newer = mapped(older, (yaml, name) => {
    const of = edits[name] ?? edits[String(yaml["represents"])];
    const embeds = embedded(yaml, edits);
    const isSame = of === undefined && JSON.stringify(embeds) === JSON.stringify(yaml);
    if (isSame) return { resource: name, sameAs: "v1" };
    const inside = of === undefined ? embeds : edited(embeds, of);
    if (edits[name] === undefined) return inside;
    const all = (turns[21] ?? 0) > 4 ? renamedWithin(inside) : inside;
    const made = converting.includes(name) ? madeOf(name) : {};
    return withNew(all, made, ADDED[(turns[20] ?? 0) % ADDED.length]);
  });
  const byCode = converting.filter((name) => !byWords.includes(name));
  return { older, newer, code: Object.assign({}, ...byCode.map(conversionOf)) as Texts };
}

function mapped(documents: Documents, change: (yaml: Yaml, name: string) => Yaml): Documents {
  return Object.fromEntries(
    Object.entries(documents).map(([name, yaml]) => [name, change(yaml, name)]),
  );
}

function propertiesOf(yaml: Yaml): Readonly<Record<string, Yaml>> {
  return yaml["properties"] as Readonly<Record<string, Yaml>>;
}

function withAmount(yaml: Yaml): Yaml {
  const amount = { type: "integer", minimum: 0, maximum: 99_999 };
  const phase = { enum: ["early", "late"] };
  return { ...yaml, properties: { ...propertiesOf(yaml), amount, phase } };
}

/** Where references stand. */
const REFERRING = ["properties", "actions"];

/** What references show of this one. */
function usedElsewhere(documents: Documents, name: string): readonly string[] {
  return Object.values(documents).flatMap((yaml) =>
    REFERRING.flatMap((word) => shownIn(yaml[word], name)),
  );
}

function shownIn(value: unknown, name: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { reference, embed = [] } = value as Yaml;
  const own = reference === name ? (embed as readonly string[]) : [];
  return [...own, ...Object.values(value).flatMap((inner) => shownIn(inner, name))];
}

function editsOf(yaml: Yaml, turns: readonly number[], shown: readonly string[]): readonly Edit[] {
  const { properties: _properties, ...others } = yaml;
  const searched = JSON.stringify(others);
  return Object.entries(propertiesOf(yaml)).flatMap(([name, property], index): readonly Edit[] => {
    const turn = turns[index + 12] ?? 0;
    const isReferring = JSON.stringify(property).includes('"reference"');
    if (WRITTEN_BY_CODE.includes(name) || isReferring) return [];
    if (CONVERTED.includes(name)) return [{ name, becomes: undefined }];
    const values = property["enum"] as readonly string[] | undefined;
    if (values?.includes("blue") && turn < 7) {
      const grown = { enum: [...values, "violet"], inOlderVersions: { violet: "red" } };
      return [{ name, becomes: [name, { ...property, ...grown }] }];
    }
    if (KEPT.includes(name) || turn > 6) return [];
    const isNull = property["required"] !== true && property["minItems"] !== 1;
    const isNeeded = !isNull && property["default"] === undefined;
    const isFree = !isNeeded && !searched.includes(`"${name}"`) && !searched.includes(`"-${name}"`);
    if (turn < 3 && isFree && !shown.includes(name)) return [{ name, becomes: undefined }];
    const renamed = `new${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return [{ name, becomes: [renamed, { ...property, renamedFrom: name }] }];
  });
}

/** A property of a resource, or of a view: there it is a name of the resource's. */
type Entry = readonly [name: string, yaml: Yaml | string];

/** The resource, or a view of it, after the edits. */
function edited(yaml: Yaml, edits: readonly Edit[]): Yaml {
  const isView = yaml["represents"] !== undefined;
  const byName = new Map(edits.map((edit) => [edit.name, edit.becomes]));
  const entries = Object.entries(propertiesOf(yaml)).flatMap(
    ([name, property]): readonly Entry[] => {
      const stored = isView ? String(property) : name;
      const becomes = byName.get(stored);
      if (becomes === undefined) return byName.has(stored) ? [] : [[name, property]];
      return isView ? [[name, becomes[0]]] : [becomes];
    },
  );
  const gone = edits.filter(({ becomes }) => becomes === undefined).map(({ name }) => name);
  const removed = gone.filter((name) => !CONVERTED.includes(name) && !isView);
  const { properties: _properties, ...others } = yaml;
  return {
    ...(renamedIn(others, edits) as Yaml),
    properties: entries.length === 0 ? { added: "added" } : (Object.fromEntries(entries) as Yaml),
    ...(removed.length > 0 && {
      removed: Object.fromEntries(removed.map((name) => [name, "Nobody asks for it."])),
    }),
  };
}

/** Conditions, sorts, indexes and what is unique together, in the new names. */
const SEARCHED = ["aliases", "indexes", "unique", "where"];

function renamedIn(others: Yaml, edits: readonly Edit[]): Yaml {
  const names = new Map(edits.map(({ name, becomes }) => [name, becomes?.[0] ?? name]));
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, renamed(inner)]),
      );
    }
    if (typeof value !== "string") return value;
    const [, sign = "", name = ""] = /^(-?)(.*)$/.exec(value) ?? [];
    return sign + (names.get(name) ?? name);
  };
  return mapped(others as Documents, (value, key) =>
    SEARCHED.includes(key) ? (renamed(value) as Yaml) : value,
  );
}

/** The resource with references, at any depth, that show what the others call so now. */
function embedded(yaml: Yaml, edits: Readonly<Record<string, readonly Edit[]>>): Yaml {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
    const inside = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, renamed(inner)] as const),
    );
    const { reference, embed } = inside as Yaml;
    const of = edits[String(reference)];
    if (of === undefined || !Array.isArray(embed)) return inside;
    const names = new Map(of.map(({ name, becomes }) => [name, becomes?.[0] ?? name]));
    return { ...inside, embed: embed.map((name: string) => names.get(name) ?? name) };
  };
  return yaml["represents"] === undefined
    ? mapped(yaml as Documents, (value, word) =>
        REFERRING.includes(word) ? (renamed(value) as Yaml) : value,
      )
    : yaml;
}

/** What holds references, each of them under another name there. */
const HOLDERS = ["rows", "details"];

function renamedWithin(yaml: Yaml): Yaml {
  const renamed = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const { items, properties, ...others } = value as Yaml;
    const { other, ...rest } = (properties ?? {}) as Yaml;
    return {
      ...others,
      ...(items !== undefined && { items: renamed(items) }),
      ...(properties !== undefined && {
        properties: { newOther: { ...(other as Yaml), renamedFrom: "other" }, ...rest },
      }),
    };
  };
  const properties = mapped(propertiesOf(yaml), (value, name) =>
    HOLDERS.includes(name) ? (renamed(value) as Yaml) : value,
  );
  return { ...yaml, properties };
}

/** What the newer version has instead of what is converted. */
const MADE_BY_CODE: Yaml = {
  amountText: { type: "string", pattern: "^(?:0|[1-9][0-9]{0,4})$", converted: true },
  isLate: { type: "boolean", converted: true },
};

function madeByWords(turn: number): Yaml {
  const scale = (turn % 6) + 1;
  const unit = 10 ** scale;
  const bounds = { minimum: 0, maximum: (99_999 / unit).toFixed(scale) };
  const converted = { from: "phase", values: { late: "closing" } };
  return {
    price: { type: "decimal", scale, ...bounds, converted: { from: "amount", unit } },
    period: { enum: ["early", "closing"], converted },
  };
}

function withNew(yaml: Yaml, made: Yaml, added: Yaml | undefined): Yaml {
  return { ...yaml, properties: { ...propertiesOf(yaml), added, ...made } };
}

/** Code that is never wrong: each number has one text. */
function conversionOf(resource: string): Texts {
  const entity = resource.slice(0, -1);
  const type = `${entity.charAt(0).toUpperCase()}${entity.slice(1)}V1ToV2`;
  const text = `import type { ${type} } from "../../generated/v1/${resource}/${resource}.dto.js";
export const ${resource}V1ToV2: ${type} = {
  toNewer: ({ amount, phase }) => ({
    amountText: amount === null ? null : String(amount),
    isLate: phase === null ? null : phase === "late",
  }),
  toOlder: ({ amountText, isLate }) => ({
    amount: amountText === null ? null : Number(amountText),
    phase: isLate === null ? null : isLate ? "late" : "early",
  }),
};
`;
  return { [`src/custom/conversions/${resource}-v1-to-v2.ts`]: text };
}
