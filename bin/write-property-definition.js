import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { rolldown } from "rolldown";

const path = new URL("../schemas/resource.schema.json", import.meta.url);

/** What a property can say is said by the kinds: their keywords are put into schemas/resource.schema.json, which editors read. */
export async function writePropertyDefinition() {
  const { propertyDefinition } = await importSource("../src/kinds/property-definition.ts");
  const before = readFileSync(path, "utf8");
  const schema = JSON.parse(before);
  schema.definitions.property = propertyDefinition();
  const options = { ...(await resolveConfig(path)), parser: "json" };
  const after = await format(JSON.stringify(schema, null, 2), options);
  if (after !== before) writeFileSync(path, after);
}

/** A TypeScript file with all that it imports, as a module of this process. */
async function importSource(relative) {
  const input = fileURLToPath(new URL(relative, import.meta.url));
  const build = await rolldown({ input, platform: "node", external: [/^node:/], logLevel: "warn" });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
