import type { Schemas, Yaml } from "../../support/schema-walk.js";

/** The identifiers of what can be referred to, by resource. */
export type Known = ReadonlyMap<string, string>;

/** A body that fits a resource of a walk, made of a number; two numbers make other values wherever they can. */
export function bodyOf(schemas: Schemas, resource: string, seed: number, known: Known): Yaml {
  return valuesOf(schemas[resource]?.["properties"] as Yaml, { schemas, seed, known });
}

/** What a schema says of an answer: without identifiers, stamps and the revision. */
export function shownOf(schemas: Schemas, resource: string, answer: Yaml): Yaml {
  const names = Object.keys(schemas[resource]?.["properties"] as Yaml);
  return Object.fromEntries(names.map((name) => [name, answer[name]]));
}

interface Making {
  readonly schemas: Schemas;
  readonly seed: number;
  readonly known: Known;
}

function valuesOf(properties: Yaml, making: Making): Yaml {
  return Object.fromEntries(
    Object.entries(properties).map(([name, yaml]) => [
      name,
      valueOf(yaml as Yaml | string, making),
    ]),
  );
}

function valueOf(given: Yaml | string, making: Making): unknown {
  const { seed } = making;
  const yaml = typeof given === "string" ? { type: given } : given;
  if ("enum" in yaml) {
    const values = yaml["enum"] as readonly string[];
    return values[seed % values.length];
  }
  if ("reference" in yaml) return referenceTo(String(yaml["reference"]), making);
  switch (yaml["type"]) {
    case "string":
      if (yaml["format"] === "date") return `2026-01-0${1 + (seed % 9)}`;
      return `${seed} of a text`.slice(0, Number(yaml["maxLength"] ?? 20));
    case "integer":
      return 2 + seed;
    case "number":
      return 2.5 + seed;
    case "decimal": {
      const scale = Number(yaml["scale"]);
      return scale <= 0 ? `${2 + seed}` : `${2 + seed}.${"5".padEnd(scale, "0")}`;
    }
    case "boolean":
      return seed % 2 === 0;
    case "timestamp":
      return `2026-01-31T09:30:00.00${seed % 10}Z`;
    case "uuid":
      return `00000000-0000-4000-8000-00000000000${seed % 10}`;
    case "array":
      return [valueOf(yaml["items"] as Yaml | string, making)];
    default:
      return valuesOf(yaml["properties"] as Yaml, making);
  }
}

function referenceTo(resource: string, { schemas, known }: Making): Yaml | null {
  const identifier = known.get(resource);
  if (identifier === undefined) return null;
  return { [`${String(schemas[resource]?.["entity"])}Id`]: identifier };
}
