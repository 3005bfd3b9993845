import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validate } from "../../src/commands/validate.js";
import { load } from "../../src/load/load.js";
import { normalise } from "../../src/model/normalise.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { nameClashes } from "../../src/storage/name-clashes.js";
import { printTables } from "../../src/storage/print-tables.js";
import { storageModel } from "../../src/storage/storage-model.js";
import { validate as validateTree } from "../../src/validate/validate.js";
import { codesOf, MemoryProject } from "../support/memory-project.js";
import { migrate } from "./support/migrated-database.js";
import { DATABASES, newDatabase } from "./support/order-services.js";

const LIST = "{ type: array, items: { reference: days } }";
const PKEY = `pkey: ${LIST.replace(/ \}$/, ", exempt: { NAM-3: it is a name } }")}`;

function project(lines: readonly string[], plural = "things", entity = "thing"): MemoryProject {
  const properties = lines.map((line) => `  ${line}\n`).join("");
  return new MemoryProject({
    "service.yaml": `service: store\nversions: { v1: draft }\ninflections: { ${entity}: ${plural} }\n`,
    "resources/v1/days.yaml": "resource: days\nentity: day\nproperties: { name: string }\n",
    [`resources/v1/${plural}.yaml`]: `resource: ${plural}\nentity: ${entity}\nproperties:\n  title: string\n${properties}`,
  });
}

/** A reference inside an object. */
function within(outer: string, inner: string): string {
  return `${outer}: { type: object, properties: { ${inner}: { reference: days } } }`;
}

test.each<{ name: string; lines: readonly string[]; plural?: string; entity?: string }>([
  { name: "the index of createdDate", lines: [within("created", "date")] },
  { name: "a primary key", lines: [PKEY] },
  {
    name: "a table of the migrations",
    lines: [`migrations: ${LIST}`],
    plural: "schema",
    entity: "scheme",
  },
  { name: "what SQLite keeps itself", lines: [], plural: "sqlite", entity: "sqlit" },
])(
  "a table or an index that is called like $name is refused",
  async ({ lines, plural, entity }) => {
    const made = project(lines, plural, entity);
    expect(codesOf(await validate(made.env))).toContain("SCH-431");
    expect(codesOf(await made.generate())).toContain("SCH-431");
  },
);

/** Properties of which some cannot be in one resource. */
const PROPERTIES = [
  within("created", "date"),
  within("created", "index"),
  within("sizE", "index"),
  "size: { type: integer, filterable: true }",
  "last: { type: object, properties: { modified: { type: object, properties: { date: { reference: days } } } } }",
  within("lasT", "modified"),
  PKEY,
  ...["aB", "ab", "index", "days", "days_index"].map((name) => `${name}: ${LIST}`),
  "boxes: { type: array, items: { type: object, properties: { pkey: { reference: days } } } }",
];

test("primary keys whose names PostgreSQL cuts to one are fine", async () => {
  const inner = ["officeOfDutyA", "officeOfDutyB"].map((name) => `${name}: { reference: days }`);
  const outer = "supplementaryDocumentationOfTheCustomer";
  const made = project([`${outer}: { type: object, properties: { ${inner.join(", ")} } }`]);
  expect(codesOf(await made.generate())).toEqual([]);
});

test("what is accepted can be made on both databases, and what is refused for its names cannot", async () => {
  const counts = { accepted: 0, refused: 0 };
  for (const lines of fc.sample(fc.subarray(PROPERTIES), { numRuns: 80, seed: 20_261_126 })) {
    const { files } = project(lines).env;
    const tree = load(files, "/project");
    const validated = tree.ok ? await validateTree(tree.value) : tree;
    // Other rules can refuse it, such as those of names that differ in their case alone.
    if (!validated.ok) continue;
    const model = normalise(validated.value);
    const outcomes = await Promise.all(
      DATABASES.map(async (dialect) => couldMake(await newDatabase(dialect), dialect, model)),
    );
    const isRefused = nameClashes(model.entities).length > 0;
    expect(
      outcomes.every((made) => made),
      lines.join("\n"),
    ).toBe(!isRefused);
    counts[isRefused ? "refused" : "accepted"] += 1;
  }
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(5);
});

async function couldMake(
  url: string,
  dialect: (typeof DATABASES)[number],
  model: ServiceModel,
): Promise<boolean> {
  const script = printTables(storageModel(model), dialect)
    .map((block) => block.join("\n"))
    .join("\n\n");
  const folder = mkdtempSync(join(tmpdir(), "names-"));
  try {
    mkdirSync(join(folder, "0001-initial"));
    writeFileSync(join(folder, "0001-initial", `${dialect}.sql`), script);
    return await migrate(url, pathToFileURL(folder)).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(
          /already exists|already (?:a|an) \w+ named|is already an index/,
        );
        return false;
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
