import { expect, test } from "vitest";

import type { CommonFields } from "#runtime/base/common-fields";
import { EntityStore, type Stored } from "#runtime/store/entity-store";
import type { EntityTable } from "#runtime/store/entity-table";
import { openSqlite } from "#runtime/store/sqlite/sqlite";

interface Properties {
  readonly address: { readonly zip: string };
}
type Place = Properties & CommonFields & { readonly placeId: string };

const table: EntityTable<Place, Properties> = {
  ...{ name: "places", entityType: "Place", idProperty: "placeId" },
  ...{ written: ["address"], columns: {} },
  json: { address: { zip: null } },
  encode: ({ address }) => [JSON.stringify(address)],
  decode: () => {
    throw new Error("nothing is read");
  },
  identify: ({ placeId }) => placeId,
  assemble: (placeId, properties, common) => ({ placeId, ...properties, ...common }),
};

const subject = { subjectId: "s", userPrincipalName: "n" };
const date = "2026-01-01T00:00:00.000Z";
const stored: Stored<Place> = {
  entity: {
    ...{ placeId: "1", address: { zip: "1" }, createdDate: date, createdSubject: subject },
    ...{ lastModifiedDate: date, lastModifiedSubject: subject },
  },
  revision: 1,
  tenant: null,
  // A newer release knows the country.
  json: { address: '{"zip":"1","country":"SE"}' },
};

test("a change of a locked entity keeps what the row alone holds", async () => {
  const database = await openSqlite(":memory:");
  const quiet = { warn: () => undefined, error: () => undefined };
  const store = new EntityStore(table, {
    ...{ database, clock: Date.now, newIdentifier: () => "1", logger: quiet },
    settings: { limits: { pageBytes: 1000, bodyBytes: 1000 } },
    warnings: { isDue: () => false },
  });
  for (const before of [stored, store.lockOf(stored)]) {
    const made = store.prepareChange(before, { address: { zip: "2" } }, { subject });
    expect(made?.steps[0]?.values[0]).toBe('{"zip":"2","country":"SE"}');
  }
  await database.close();
});
