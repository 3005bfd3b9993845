import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { filesOf } from "../../src/commands/project-migrations.js";
import { NO_CHAIN } from "../../src/migrations/chain.js";
import { nextMigration } from "../../src/migrations/next-migration.js";
import { editSchemas } from "../golden/golden-cases.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { grown, wantedBy } from "../unit/migrations/support.js";
import { DATABASES, newDatabase } from "./support/order-services.js";
import { change, migrate, rows } from "./support/migrated-database.js";

const few = editSchemas("new-resources-that-refer", "before");
const all = editSchemas("new-resources-that-refer", "after");
const without = {
  ...few,
  "resources/v1/orders.yaml": `${few["resources/v1/orders.yaml"] ?? ""}removed: { present: why }\n`,
};

const LINKS = [
  ["products_alternatives", "p"],
  ["bundles_contents", "b"],
  ["bundles_lines_product", "b"],
  ["orders_lines_article", "o"],
] as const;

test.each(DATABASES)(
  "%s: resources that refer to each other, and are removed and there again, have their rows and what they refer to",
  async (database) => {
    const url = await newDatabase(database);
    const migrations = temporaryFolder();
    let chain = NO_CHAIN;
    for (const schemas of [all, without, all]) {
      const wanted = await wantedBy(schemas);
      const following = wanted && nextMigration(chain, wanted);
      if (following?.kind !== "next") throw new Error("it leads to no migration");
      for (const { path, text } of filesOf(following.next)) {
        const file = join(migrations, path.replace("migrations/", ""));
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text ?? "");
      }
      await migrate(url, pathToFileURL(migrations));
      if (chain === NO_CHAIN) await fill(url);
      chain = grown(chain, following.next);
    }
    for (const [table, owner] of LINKS) {
      const found = await rows(url, `SELECT owner_id, other_id FROM "${table}"`);
      expect(found, table).toEqual([{ owner_id: owner, other_id: "p" }]);
    }
  },
);

/** One row of each, and all of them refer to the one product. */
async function fill(url: string): Promise<void> {
  const entities = [
    { table: "products", row: { productId: "p", alternatives: '["p"]' } },
    { table: "wagons", row: { wagonId: "w", sample: "p" } },
    {
      table: "bundles",
      row: {
        bundleId: "b",
        wagon: "w",
        inside: "b",
        contents: '["p"]',
        lines: '[{"product":"p"}]',
      },
    },
    { table: "orders", row: { orderId: "o", present: "p", lines: '[{"article":"p"}]' } },
  ];
  for (const { table, row } of entities) {
    const whole = { ...row, ...COMMON };
    const names = Object.keys(whole).map((name) => `"${name}"`);
    const values = Object.values(whole).map((value) => `'${value}'`);
    await change(url, `INSERT INTO "${table}" (${names.join()}) VALUES (${values.join()})`);
  }
  for (const [table, owner] of LINKS) {
    await change(url, `INSERT INTO "${table}" (owner_id, other_id) VALUES ('${owner}', 'p')`);
  }
}

const COMMON = {
  created_date: "2020-01-01T00:00:00.000Z",
  created_subject_id: "someone",
  created_user_principal_name: "someone",
  last_modified_date: "2020-01-01T00:00:00.000Z",
  last_modified_subject_id: "someone",
  last_modified_user_principal_name: "someone",
  row_revision: "1",
};
