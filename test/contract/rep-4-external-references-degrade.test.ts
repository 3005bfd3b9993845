import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { resultsOf } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const CONSIGNMENTS = "/api/v1/consignments";
const NAMELESS = { merchantId: "0190a0a0-1111-7000-8000-000000000000", name: null };

const service = await startService();
const consignments = await customCode("consignments");
const { depotId = "" } = await service.create("/api/v1/depots", { name: "north", fee: "2.5" });
const consign = async (): Promise<JsonObject> =>
  service.create(CONSIGNMENTS, { depot: { depotId }, merchant: NAMELESS });

test("whoever supplies what is embedded and hangs is not waited for: what is stored is answered", async () => {
  const path = pathOf(CONSIGNMENTS, await consign());
  const asked: unknown[] = [];
  consignments.complete = (entities) =>
    new Promise<never>(() => {
      asked.push(entities);
    });
  const [made, read, changed] = await Promise.all([
    consign(),
    service.read(path),
    service.send("PATCH", path, { body: { label: "late" } }),
  ]);
  delete consignments.complete;
  expect(made["merchant"]).toEqual(NAMELESS);
  expect(read["merchant"]).toEqual(NAMELESS);
  expect([changed.status, changed.json["merchant"]]).toEqual([200, NAMELESS]);
  expect(asked.length).toBe(3);
}, 20_000);

test("a value that cannot be shown takes none away from the other entities of the answer", async () => {
  const [one, other] = [await consign(), await consign()];
  const supplied: Readonly<Record<string, unknown>> = {
    [String(one["consignmentId"])]: 5,
    [String(other["consignmentId"])]: "Northern",
  };
  consignments.complete = (entities) => {
    for (const { consignmentId, merchant } of entities) {
      Object.assign(merchant ?? {}, { name: supplied[String(consignmentId)] ?? null });
    }
  };
  const results = resultsOf(await service.read(`${CONSIGNMENTS}?pageSize=100`));
  delete consignments.complete;
  const merchantOf = ({ consignmentId }: JsonObject): unknown =>
    results.find((result) => result["consignmentId"] === consignmentId)?.["merchant"];
  expect(merchantOf(one)).toEqual(NAMELESS);
  expect(merchantOf(other)).toEqual({ ...NAMELESS, name: "Northern" });
});
