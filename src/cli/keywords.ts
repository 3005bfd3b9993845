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
}

const FILES = { resource: "resources/v1/*.yaml", service: "service.yaml" } as const;

/** Every place in which a schema can have a keyword, in the words of the JSON Schemas. */
export function keywordPlaces(): readonly KeywordPlace[] {
  return Object.entries(FILES).flatMap(([name, file]) => {
    const path = join(packageRoot(), "schemas", `${name}.schema.json`);
    const schema: unknown = JSON.parse(nodeFiles.readText(path));
    const definitions = members(member(schema, "definitions"));
    // A property's own keywords are described once, for all depths.
    const property = Object.fromEntries(definitions)["property"];
    return [
      ...placesIn(schema, file, definitions),
      ...placesIn(property, `${file}: properties > <name>`, definitions),
    ];
  });
}

type Members = readonly (readonly [string, unknown])[];

function placesIn(schema: unknown, place: string, definitions: Members): KeywordPlace[] {
  return members(schema).flatMap(([key, value]) => {
    if (key === "additionalProperties") return placesIn(value, `${place} > <name>`, definitions);
    // The other branches repeat keywords, to say what they refer to.
    if (key === "else" && member(schema, "properties") === undefined) {
      return placesIn(value, place, definitions);
    }
    if (key !== "properties") return [];
    return members(value).flatMap(([keyword, own]) => {
      const described = definition(own, definitions);
      const below = place.includes(": ") ? `${place} > ${keyword}` : `${place}: ${keyword}`;
      const [example] = Object.values(Object(member(described, "examples")));
      const description = String(member(described, "description"));
      const isNested = described === own;
      return [
        { keyword, place, description, example },
        ...(isNested ? placesIn(own, below, definitions) : []),
      ];
    });
  });
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
    .map(({ keyword, place, description, example }) => {
      const lines = [`# ${keyword}, in ${place}`, "", description];
      const code = ["", "```", `${keyword}: ${flow(example)}`, "```"];
      return `${[...lines, ...(example === undefined ? [] : code)].join("\n")}\n`;
    })
    .join("\n");
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
