import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { makeNextVersion } from "../../src/commands/next-version.js";
import { publish } from "../../src/commands/publish.js";
import { readModel } from "../../src/commands/read-model.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { compile } from "../mutants/mutated-services.js";
import { ServiceHost } from "../support/service-host.js";
import { verifyAt } from "../mutants/verifying.js";
import { expectSuccess } from "../support/expect-success.js";
import { MemoryProject, told } from "../support/memory-project.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { readTree } from "../support/read-tree.js";

// What a team does over the years: v1 is published, v2 is made beside it over the same rows, and v1 is retired.

const host = new ServiceHost();
const files = mkdtempSync(join(tmpdir(), "versions-of-a-shop-"));
afterAll(() => {
  host.stop();
  rmSync(files, { recursive: true, force: true });
});

type Json = Readonly<Record<string, unknown>>;

/** The example, with the code of its own. */
function shop(): MemoryProject {
  const texts = Object.entries(readTree(resolve("templates/examples/shop")));
  return new MemoryProject(
    Object.fromEntries(
      texts.map(([path, text]) => [path.replace(/^custom\//, "src/custom/"), text]),
    ),
  );
}

async function generated(project: MemoryProject): Promise<void> {
  const result = await project.generate();
  expect(told(result)).toBe("");
  expectSuccess(result);
}

/** Starts what the schemas say now on a database with the rows of earlier releases. */
async function release(project: MemoryProject, name: string, databaseUrl: string): Promise<string> {
  const texts = Object.entries(project.tree());
  const relative = texts.map(([path, text]) => [path.replace("/project/", ""), text] as const);
  return host.start(await compile(name, Object.fromEntries(relative)), { databaseUrl });
}

async function modelOf({ env }: MemoryProject): Promise<ServiceModel> {
  return expectSuccess(await readModel(env.files, env.root)).model;
}

async function failuresAt(project: MemoryProject, url: string): Promise<readonly unknown[]> {
  const { verdicts } = await verifyAt(await modelOf(project), url);
  return verdicts.flatMap(({ rule, failures }) => failures.map((one) => ({ rule, ...one })));
}

async function send(method: string, url: string, body?: Json): Promise<Json> {
  const answer = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  return { ...((await answer.json()) as Json), httpStatus: answer.status };
}

/** An order with all that it needs, made through v1. */
async function orderAt(url: string): Promise<string> {
  const user = await send("POST", `${url}/api/v1/users`, {
    firstName: "Grace",
    email: "grace@example.com",
  });
  const merchant = await send("POST", `${url}/api/v1/merchants`, { name: "Harbour" });
  const order = await send("POST", `${url}/api/v1/orders`, {
    number: "SO-20031",
    customer: { userId: user["userId"] },
    merchant: { merchantId: merchant["merchantId"] },
    recipient: "Front Desk",
    items: [{ product: "Postcard", quantity: 2, price: "0.35" }],
    price: "39.90",
    giftWrapped: true,
    deliveryAddress: { street: "1 Harbour Road", city: "Galveston" },
  });
  expect(order["httpStatus"]).toBe(201);
  return String(order["orderId"]);
}

/** v2 renames a property, adds one and a value of an enum, and drops one. */
async function makeSecond(project: MemoryProject): Promise<void> {
  const resources = ["orders", "openorders"];
  expectSuccess(await makeNextVersion(project.env, { version: "v2", resources }));
  const orders = "resources/v2/orders.yaml";
  project.edit(
    orders,
    "  deliveryAddress:\n",
    "  shippingAddress:\n    renamedFrom: deliveryAddress\n",
  );
  project.edit(
    orders,
    "enum: [placed, packed, shipped, delivered, cancelled]\n",
    "enum: [placed, onHold, packed, shipped, delivered, cancelled]\n    inOlderVersions: { onHold: placed }\n",
  );
  project.edit(
    orders,
    "    placed: [packed, cancelled]\n",
    "    placed: [onHold, packed, cancelled]\n    onHold: [placed, packed, cancelled]\n",
  );
  project.edit(orders, "updatableIn: [placed, packed]", "updatableIn: [placed, onHold, packed]");
  project.edit(orders, "deletableIn: [placed, ", "deletableIn: [placed, onHold, ");
  project.edit(
    orders,
    "  giftWrapped: { type: boolean, required: true, default: false, filterable: true }\n",
    "  loyaltyPoints: { type: integer, required: true, default: 0, minimum: 0, filterable: range }\n",
  );
  project.edit(
    orders,
    "aliases:\n",
    "removed: { giftWrapped: gifts are orders of their own }\naliases:\n",
  );
  const open = "resources/v2/openorders.yaml";
  project.edit(open, "  giftWrapped: giftWrapped\n", "");
  project.edit(open, "shipTo: deliveryAddress", "shipTo: shippingAddress");
}

test.each(["SQLite", "PostgreSQL"])(
  "on %s, v1 and v2 serve the rows of v1 at once, and v2 alone after v1",
  { timeout: 900_000 },
  async (database) => {
    const databaseUrl =
      database === "SQLite" ? `sqlite:${join(files, "shop.db")}` : schemaUrl(inject("postgresUrl"));
    if (database === "PostgreSQL") await makeSchema(databaseUrl);
    const project = shop();
    await generated(project);
    expectSuccess(await publish(project.env, "v1"));
    const first = await release(project, `${database}-first`, databaseUrl);
    const orderId = await orderAt(first);
    const promised = project.read("contract/v1/orders.json");

    await makeSecond(project);
    await generated(project);
    expect(project.read("contract/v1/orders.json")).toBe(promised);
    const both = await release(project, `${database}-both`, databaseUrl);
    const older = await send("GET", `${both}/api/v1/orders/${orderId}`);
    expect(older).toMatchObject({
      giftWrapped: true,
      status: "placed",
      deliveryAddress: { city: "Galveston" },
    });
    const newer = await send("GET", `${both}/api/v2/orders/${orderId}`);
    expect(newer).toMatchObject({ loyaltyPoints: 0, shippingAddress: { city: "Galveston" } });
    expect(newer).not.toHaveProperty("giftWrapped");
    expect(await failuresAt(project, both)).toEqual([]);

    expectSuccess(await publish(project.env, "v2"));
    project.edit("service.yaml", "v1: published", "v1: retired");
    await generated(project);
    const last = await release(project, `${database}-last`, databaseUrl);
    expect((await send("GET", `${last}/api/v1/orders/${orderId}`))["httpStatus"]).toBe(410);
    expect(await send("GET", `${last}/api/v2/orders/${orderId}`)).toMatchObject({
      httpStatus: 200,
      shippingAddress: { city: "Galveston" },
    });
    expect(await failuresAt(project, last)).toEqual([]);
  },
);
