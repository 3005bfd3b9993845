import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { GOLDEN_CASES, goldenTexts } from "./golden-cases.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A value that a document suggests, and the JSON pointer to its schema. */
interface Suggested {
  readonly pointer: string;
  readonly value: Json;
}

/** Every value in `examples` of a schema; those of parameters have names of their own, and are none. */
function suggestions(node: Json, pointer = ""): Suggested[] {
  if (typeof node !== "object" || node === null) return [];
  if (isList(node)) return node.flatMap((item, index) => suggestions(item, `${pointer}/${index}`));
  const { examples } = node;
  const own = examples !== undefined && isList(examples) ? examples : [];
  const inner = Object.entries(node).flatMap(([name, value]) =>
    suggestions(value, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [...own.map((value) => ({ pointer, value })), ...inner];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

test.each(GOLDEN_CASES)("%s: its documents suggest what their schemas allow", async (name) => {
  const texts = Object.entries(await goldenTexts(name));
  const documents = texts.filter(([path]) => path.startsWith("openapi/"));
  expect(documents.length).toBeGreaterThan(0);
  for (const [path, text] of documents) {
    // A document is JSON.
    const document = JSON.parse(text) as { readonly [name: string]: Json };
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "document", ...document });
    const refused = suggestions(document).filter(
      ({ pointer, value }) => !ajv.validate({ $ref: `document#${encodeURI(pointer)}` }, value),
    );
    expect({ path, refused }).toEqual({ path, refused: [] });
  }
});
