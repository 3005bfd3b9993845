import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
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
