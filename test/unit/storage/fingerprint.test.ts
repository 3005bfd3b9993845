import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import {
  storageFingerprint,
  type StorageModel,
  storageDifferences,
} from "#runtime/store/storage-model";
import { readModel } from "../../../src/commands/read-model.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { printTables } from "../../../src/storage/print-tables.js";
import { storageModel } from "../../../src/storage/storage-model.js";
import { cases } from "../../support/thorough.js";
import { randomProject } from "../../support/random-schema.js";
import type { Texts } from "../../support/render-files.js";
import type { Yaml } from "./support.js";

const RUNS = cases({ usual: 60, long: 200 });

/** Edits of one property; what a property can not take is refused, and tried on another one. */
const edits = fc.constantFrom<(property: Yaml) => Yaml>(
  (property) => ({ ...property, description: "Edited." }),
  (property) => ({ ...property, required: property["required"] !== true }),
  (property) => ({ ...property, filterable: property["filterable"] !== true }),
  (property) => ({ ...property, unique: property["unique"] !== true }),
  (property) => ({ ...property, readOnly: property["readOnly"] !== true }),
  (property) => ({ ...property, scale: Number(property["scale"]) - 1 }),
  (property) => ({ ...property, maxItems: 7 }),
  (property) => ({ ...property, maxLength: 600 }),
  (property) => ({ ...property, enum: [...((property["enum"] ?? []) as string[]), "oneMore"] }),
  (property) => ({ ...property, enum: ((property["enum"] ?? []) as string[]).toReversed() }),
  () => ({ type: "timestamp" }),
  () => ({ type: "integer" }),
);

/** One property of one resource of a project, edited. */
function edited(project: Texts, turn: number, edit: (property: Yaml) => Yaml): Texts {
  const files = Object.keys(project).filter((path) => path.startsWith("resources/"));
  const path = files[turn % files.length] ?? "";
  const yaml = parse(project[path] ?? "") as Yaml;
  const properties = Object.entries((yaml["properties"] ?? {}) as Yaml);
  const chosen = turn % properties.length;
  const now = properties.map(([name, property], index) => [
    name,
    index === chosen
      ? edit(typeof property === "string" ? { type: property } : (property as Yaml))
      : property,
  ]);
  return { ...project, [path]: stringify({ ...yaml, properties: Object.fromEntries(now) }) };
}

/** Null where the project has a mistake. */
async function storageOf(project: Texts): Promise<StorageModel | null> {
  const files = Object.entries(project).map(([path, text]) => [`/project/${path}`, text]);
  const read = await readModel(new MemoryFiles(Object.fromEntries(files) as Texts), "/project");
  return read.ok ? storageModel(read.value.model) : null;
}

/** All that a service does to its database, and to the values in it; the order of columns and tables means nothing. */
function meaning(storage: StorageModel): string {
  const model = inOrder(storage);
  const encodings = model.tables.map(({ name, columns }) => [name, columns]);
  return JSON.stringify([printTables(model, "sqlite"), printTables(model, "postgres"), encodings]);
}

/** A model with everything that has a name in the order of the names. */
function inOrder(storage: StorageModel): StorageModel {
  return JSON.parse(
    JSON.stringify(storage, (_key, value: unknown) =>
      Array.isArray(value) && value.every(isNamed)
        ? value.toSorted((a, b) => (a.name < b.name ? -1 : 1))
        : value,
    ),
  ) as StorageModel;
}

function withoutBounds(storage: StorageModel): string {
  return JSON.stringify(inOrder(storage), (key, value: unknown) =>
    key === "bounds" ? undefined : value,
  );
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === "object" && value !== null && "name" in value;
}

test("after an edit the fingerprint is another one, and a difference is told, exactly where the SQL or an encoding is", async () => {
  const counts = { same: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(randomProject, fc.nat(1000), edits, async (project, turn, edit) => {
      const before = await storageOf(project);
      const after = await storageOf(edited(project, turn, edit));
      if (before === null || after === null) return;
      const isSame = meaning(before) === meaning(after);
      counts[isSame ? "same" : "changed"] += 1;
      expect(storageFingerprint(before) === storageFingerprint(after)).toBe(isSame);
      // What is not told are bounds, and nothing else.
      const isTold = storageDifferences(before, after).length > 0;
      expect(isTold).toBe(withoutBounds(before) !== withoutBounds(after));
    }),
    { numRuns: RUNS, seed: 20_261_122 },
  );
  expect(counts.same).toBeGreaterThan(RUNS / 10);
  expect(counts.changed).toBeGreaterThan(RUNS / 10);
});
