import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";

/** The text of dist/compiled/validators.js: a function for each of our JSON Schemas, so that ajv itself is not shipped. */
export async function compileValidators() {
  const service = await readSchema("service");
  const resource = await readSchema("resource");
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    // `if`, `then` and `else` stand beside each other, and leave the type to each.
    strictTypes: false,
    strictRequired: false,
    schemas: [service, resource],
    code: { source: true, esm: true, lines: true },
  });
  // `standaloneCode` is a default export of a CommonJS module.
  const code = standaloneCode.default(ajv, { service: service.$id, resource: resource.$id });
  return withoutRequire(code);
}

async function readSchema(name) {
  const path = new URL(`../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(await readFile(path, "utf8"));
}

const HELPERS = {
  "ajv/dist/runtime/ucs2length": "(text) => [...text].length",
  // Of entries that come from YAML.
  "ajv/dist/runtime/equal": "(one, other) => JSON.stringify(one) === JSON.stringify(other)",
};

/** ajv writes `require` for its own helpers even in ES modules. */
function withoutRequire(code) {
  const needed = /const (\w+) = require\("([^"]+)"\)\.default;/g;
  return code.replace(needed, (_, name, path) => {
    const helper = HELPERS[path];
    if (helper === undefined) throw new Error(`validators need ${path}`);
    return `const ${name} = ${helper};`;
  });
}
