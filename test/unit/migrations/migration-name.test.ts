import { expect, test } from "vitest";
import { migrationName } from "../../../src/migrations/migration-name.js";

const RENAMED = { step: "renameTable", table: "campaigns", to: "promotions" } as const;

function dropped(table: string) {
  return { step: "dropColumn", table, path: "fax" } as const;
}

test("a table that is renamed is in the name of its migration", () => {
  expect(migrationName(2, [RENAMED])).toBe("0002-rename-campaigns");
  expect(migrationName(2, [RENAMED, dropped("promotions")])).toBe("0002-rename-campaigns");
  expect(migrationName(7, [RENAMED, dropped("tickets")])).toBe(
    "0007-rename-campaigns-and-drop-tickets-fax",
  );
});

test("without one, columns name it", () => {
  expect(migrationName(7, [dropped("tickets")])).toBe("0007-drop-tickets-fax");
});

test("the table of a list follows its property", () => {
  const list = { step: "renameTable", table: "orders_watchers", to: "orders_followers" } as const;
  expect(migrationName(7, [list, dropped("orders")])).toBe("0007-drop-orders-fax");
  expect(migrationName(7, [list])).toBe("0007-rename-orders-watchers");
});
