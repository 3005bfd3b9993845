import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Schema = Readonly<Record<string, unknown>>;

/** Every key that a schema describes, at any depth, with what is said of it. */
function describedKeys(schema: unknown, path = ""): [string, Schema][] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (["examples", "default", "definitions"].includes(keyword)) return [];
    const isKeys = keyword === "properties" && typeof value === "object" && !("$ref" in value);
    const keys = isKeys ? Object.entries(value as Readonly<Record<string, Schema>>) : [];
    return [
      ...keys.map(([key, described]): [string, Schema] => [`${path}/${key}`, described]),
      ...describedKeys(value, `${path}/${keyword}`),
    ];
  });
}

test.each(["service", "resource"])(
  "each key of %s.schema.json has a description and examples",
  (name) => {
    const schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as Schema;
    const definitions = schema["definitions"] as Readonly<Record<string, Schema>>;
    const keys = [schema, ...Object.values(definitions)].flatMap((part) => describedKeys(part));
    expect(keys.length).toBeGreaterThan(20);
    for (const [path, described] of keys) {
      const reference = described["$ref"];
      const found =
        typeof reference === "string"
          ? definitions[reference.replace("#/definitions/", "")]
          : described;
      expect(found?.["description"], path).toMatch(/\S/);
      expect(found?.["examples"], path).toEqual(expect.arrayContaining([expect.anything()]));
    }
  },
);

test("an editor offers every status of a version", () => {
  const schema = JSON.parse(readFileSync("schemas/service.schema.json", "utf8")) as Schema;
  const offered = [
    ...JSON.stringify(schema["definitions"]).matchAll(/"enum":(\["draft"[^\]]*\])/g),
  ];
  const all = JSON.stringify(["draft", "published", "deprecated", "retired"]);
  expect(offered.map(([, values = ""]) => values)).toEqual([all, all]);
});
