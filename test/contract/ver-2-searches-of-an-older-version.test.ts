import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const shop = await startService("versions");

const OLDER = "/api/v1/invoices";
const NEWER = "/api/v2/bills";

async function invoice(body: JsonObject): Promise<Json> {
  return (await shop.create(NEWER, { office: "here", ...body }))["invoiceId"] ?? null;
}

async function found(path: string): Promise<readonly Json[]> {
  const results = resultsOf(await shop.read(path));
  return results.map(({ invoiceId = null }) => invoiceId);
}

async function refused(search: string): Promise<string> {
  const answer = await shop.send("GET", `${OLDER}?${search}`);
  expect(answer.status, answer.text).toBe(400);
  return answer.text;
}

const small = await invoice({ total: "9.90", dueDate: "2026-01-31", currency: "EUR" });
const large = await invoice({ total: "120.00", dueDate: "2026-03-01", kind: "reminder" });
const credit = await invoice({ total: "500.00", dueDate: "2026-06-30", kind: "credit" });
const atOnce = await invoice({ total: "1.00", kind: "credit", currency: "JPY" });

test("bounds are those of the property under its older name", async () => {
  expect(await found(`${OLDER}?amount.atLeast=9.90&amount.lessThan=500.00&sort=amount`)).toEqual([
    small,
    large,
  ]);
  expect(await found(`${OLDER}?payBy.moreThan=2026-01-31&sort=-amount`)).toEqual([credit, large]);
  expect(await refused("total.atLeast=1.00")).toContain("total.atLeast");
  expect(await refused("payBy.atLeast=2026-02-30")).toContain("payBy.atLeast");
});

test("alternatives of an alias mean what the older version shows", async () => {
  // `large` is a reminder, which the older version shows as a bill.
  expect(await found(`${OLDER}/urgent`)).toEqual([large, atOnce]);
  expect(await found(`${OLDER}/urgent?currency=JPY`)).toEqual([atOnce]);
});

test("an older version can be filtered by common fields that the newer one does not open", async () => {
  const search = "createdDate.atLeast=2020-01-01T00:00:00.000Z&currency=EUR";
  expect(await found(`${OLDER}?${search}`)).toEqual([small]);
  expect((await shop.send("GET", `${NEWER}?${search}`)).status).toBe(400);
});

test("a closed format is the same in both", async () => {
  const answer = await shop.send("POST", OLDER, { body: { branch: "x", currency: "XYZ" } });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("currency");
});

test("what is unique together is told under the names of the version that asks", async () => {
  await shop.create(OLDER, { branch: "there", number: 7 });
  const body = { branch: "there", number: 7 };
  const older = expectError(
    await shop.send("POST", OLDER, { body }),
    409,
    "InvoiceAlreadyExistsMessage",
  );
  expect(older.description).toBe("There is another invoice with the same branch and number.");
  const newer = expectError(
    await shop.send("POST", NEWER, { body: { office: "there", serial: 7 } }),
    409,
    "InvoiceAlreadyExistsMessage",
  );
  expect(newer.description).toBe("There is another invoice with the same office and serial.");
});
