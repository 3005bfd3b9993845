import { join } from "node:path";
import { nodeFiles } from "../files/node-files.js";
import { packageRoot } from "./package-root.js";

/** What the JSON Schemas say of one keyword in one place. */
export interface KeywordPlace {
  readonly keyword: string;
  /** The schema that it stands in, and the keywords above it: `resources/v1/*.yaml: states`. */
  readonly place: string;
  readonly description: string;
  readonly example: unknown;
  /** What holds where it is left out; undefined where the description says so. */
  readonly default: unknown;
  /** The keywords below it. */
  readonly parts: readonly KeywordPlace[];
}

const FILES = { resource: "resources/v1/*.yaml", service: "service.yaml" } as const;

/** Every place in which a schema can have a keyword, in the words of the JSON Schemas. */
export function keywordPlaces(): readonly KeywordPlace[] {
  return Object.entries(FILES).flatMap(([name, file]) => {
    const path = join(packageRoot(), "schemas", `${name}.schema.json`);
    const schema: unknown = JSON.parse(nodeFiles.readText(path));
    const definitions = members(member(schema, "definitions"));
    // A property's own keywords are described once, for all depths.
    const { grant, property } = Object.fromEntries(definitions);
    const claim = member(member(grant, "anyOf"), "1");
    return [
      ...placesIn(schema, file, definitions),
      ...placesIn(property, `${file}: properties > <name>`, definitions),
      ...placesIn(claim, `${file}: access > <operation>`, definitions),
    ];
  });
}

type Members = readonly (readonly [string, unknown])[];

function placesIn(schema: unknown, place: string, definitions: Members): KeywordPlace[] {
  return members(schema).flatMap(([key, value]) => {
    if (key === "additionalProperties") {
      return placesIn(below(value, definitions), `${place} > <name>`, definitions);
    }
    // The branches of a schema that lists keywords only repeat some of them.
    if (["then", "else"].includes(key) && member(schema, "properties") === undefined) {
      return placesIn(value, place, definitions);
    }
    if (key !== "properties") return [];
    return members(value).flatMap(([keyword, own]) => {
      const described = definition(own, definitions);
      const inside = place.includes(": ") ? `${place} > ${keyword}` : `${place}: ${keyword}`;
      const [example] = Object.values(Object(member(described, "examples")));
      const description = String(member(own, "description") ?? member(described, "description"));
      const nested = placesIn(below(own, definitions), inside, definitions);
      const parts = nested.filter(({ place: at }) => [inside, `${inside} > <name>`].includes(at));
      const standard = member(described, "default");
      return [{ keyword, place, description, example, default: standard, parts }, ...nested];
    });
  });
}

/** Where the keywords inside of a keyword are described; nowhere for those of properties, which are described once. */
function below(schema: unknown, definitions: Members): unknown {
  const isOfProperties = /^#\/definitions\/propert(?:y|ies)$/.test(String(member(schema, "$ref")));
  return isOfProperties ? undefined : definition(schema, definitions);
}

/** What a `$ref` leads to; the schema itself where it has none. */
function definition(schema: unknown, definitions: Members): unknown {
  const reference = member(schema, "$ref");
  if (typeof reference !== "string") return schema;
  return definitions.find(([name]) => reference === `#/definitions/${name}`)?.[1];
}

function members(value: unknown): Members {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function member(value: unknown, key: string): unknown {
  return members(value).find(([name]) => name === key)?.[1];
}

/** A keyword as a page of Markdown: where it stands, what it means, and an example. */
export function keywordPage(places: readonly KeywordPlace[]): string {
  return places
    .map((place) => {
      const { keyword, example, parts } = place;
      const lines = [`# ${keyword}, in ${place.place}`, "", meaning(place)];
      const below = parts.map((part) => `- \`${part.keyword}\`: ${meaning(part)}`);
      const list = below.length === 0 ? [] : ["", ...below];
      const code = example === undefined ? [] : ["", "```", `${keyword}: ${flow(example)}`, "```"];
      return `${[...lines, ...list, ...code].join("\n")}\n`;
    })
    .join("\n");
}

function meaning({ description, default: standard }: KeywordPlace): string {
  return standard === undefined ? description : `${description} By default ${flow(standard)}.`;
}

/** A value as YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{ ${members(value)
      .map(([key, own]) => `${key}: ${flow(own)}`)
      .join(", ")} }`;
  }
  const isPlain = typeof value === "string" && /^[A-Za-z/][\w ./:-]*$/.test(value);
  return isPlain && !value.includes(": ") ? value : JSON.stringify(value);
}
