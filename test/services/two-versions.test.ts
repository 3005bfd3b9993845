import { expect, test } from "vitest";
import type { createService } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { compiledModule } from "../support/compiled-module.js";
import { serviceTexts } from "../support/compiled-service.js";
import { serviceFolder } from "../support/service-folders.js";
import { ownTests } from "../support/own-tests.js";
import { writeTree } from "../support/read-tree.js";
import { serviceRuntime } from "../support/runtime.js";
import { transpileService } from "../support/transpile.js";
import { projectOf, twoVersions, type Renames } from "../support/second-version.js";

const NAME = "two-versions";
const RENAMES: Renames = {
  orders: { customer: "buyer", status: "step", deliveryAddress: "shipTo", remark: "note" },
  openorders: { buyer: "client" },
};

async function writeService(): Promise<string> {
  const project = await twoVersions(await projectOf("golden/representation"), RENAMES);
  writeTree(serviceFolder(NAME), serviceTexts(project));
  return serviceFolder(NAME);
}

test("a service of two versions passes the tests that are generated for both", async () => {
  await writeService();
  const { passed, said } = await ownTests(NAME);
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(30);
});

test("what is made in one version is there in the other, under the names that it has there", async () => {
  await transpileService(await writeService());
  const { registry } = await compiledModule<{ registry: ServiceRegistry }>(NAME, "generated/app");
  const runtime = await serviceRuntime<{ createService: typeof createService }>(
    NAME,
    "service/service",
  );
  const service = await runtime.createService(registry, { databaseUrl: "sqlite::memory:" });
  const send = async (method: "GET" | "POST" | "PATCH", url: string, payload?: object) => {
    const headers = { "if-match": "*" };
    const answer = await service.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  try {
    const { body: customer } = await send("POST", "/api/v1/customers", { name: "Ann" });
    const { customerId } = customer;
    const made = await send("POST", "/api/v1/orders", { customer: { customerId }, remark: "soon" });
    expect(made.status).toBe(201);
    const path = `/api/v2/orders/${String(made.body["orderId"])}`;
    const shown = { buyer: { customerId, name: "Ann" }, note: "soon", step: "placed" };
    expect((await send("GET", path)).body).toMatchObject(shown);
    expect(
      (await send("GET", `/api/v2/orders?buyer.customerId=${String(customerId)}`)).body,
    ).toMatchObject({
      itemCount: 1,
    });
    // It has no name of the other version's.
    expect((await send("PATCH", path, { remark: "late" })).status).toBe(400);
    expect((await send("PATCH", path, { note: "late" })).status).toBe(200);
    expect((await send("PATCH", path, { buyer: { customerId: "x" } })).body).toMatchObject({
      errors: [{ fields: [{ field: "buyer.customerId" }] }],
    });
    const again = await send("GET", path.replace("v2", "v1"));
    expect(again.body).toMatchObject({ customer: { customerId, name: "Ann" }, remark: "late" });
  } finally {
    await service.close();
  }
});
