import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";
import type { JsonObject } from "./support/client.js";
import { databaseUrl } from "./support/database.js";
import { resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";
import { ORDERS } from "./support/shop.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const url = databaseUrl(temporaryFolder());
const shop = await startService("shop", { databaseUrl: url });
const TOOLS = join(serviceFolder("shop"), "tools");
cpSync("templates/examples/shop/tools", TOOLS, { recursive: true });

/** What `npm run seed` runs, while the service runs; its output, a row for each resource. Rejects when it fails. */
async function seed(variables = {}): Promise<readonly (readonly string[])[]> {
  const parameters = ["--import", import.meta.resolve("tsx"), join(TOOLS, "seed.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, {
    env: { PATH: process.env["PATH"], DATABASE_URL: url, ...variables },
  });
  const line = /^(\w+) +(\d+) created, (\d+) already there$/gm;
  return [...stdout.matchAll(line)].map(([, ...cells]) => cells);
}

test("the seed makes entities of every resource, and a second run leaves them as they are", async () => {
  const first = await seed();
  const { paths } = await shop.read("/api/v1/openapi.json");
  const creatable = Object.entries(paths as JsonObject)
    .filter(([, item]) => "post" in (item as JsonObject))
    .map(([path]) => path.slice(path.lastIndexOf("/") + 1));
  expect(first.map(([resource]) => resource).sort()).toEqual(creatable.sort());
  for (const [resource, made, found] of first) {
    expect([resource, Number(made) > 0, found]).toEqual([resource, true, "0"]);
  }
  const before = await shop.read(`${ORDERS}?pageSize=100`);
  const second = await seed();
  expect(second).toEqual(first.map(([resource, made, found]) => [resource, found, made]));
  expect(await shop.read(`${ORDERS}?pageSize=100`)).toEqual(before);
});

test("every list and every alias of the seeded shop has something to show", async () => {
  const { paths } = await shop.read("/api/v1/openapi.json");
  const lists = Object.keys(paths as JsonObject).filter((path) => !path.includes("{"));
  expect(lists).toContain("/tickets/recentlyclosed");
  const empty = [];
  for (const path of lists) {
    if (resultsOf(await shop.read(`/api/v1${path}`)).length === 0) empty.push(path);
  }
  expect(empty).toEqual([]);
});

test("the shop's own code writes when an order left, and what another service knows of a warehouse", async () => {
  const [order = {}] = resultsOf(await shop.read(`${ORDERS}?status=shipped`));
  // The hook reads the clock a little before the change is stamped.
  const [shipped, modified] = [order["shippedDate"], order["lastModifiedDate"]].map(String);
  expect(Date.parse(modified ?? "") - Date.parse(shipped ?? "")).toBeGreaterThanOrEqual(0);
  expect(Date.parse(modified ?? "") - Date.parse(shipped ?? "")).toBeLessThan(1000);
  const below = `${ORDERS}/${String(order["orderId"])}/shipments`;
  const [shipment = {}] = resultsOf(await shop.read(below));
  expect(shipment).toMatchObject({
    order: { number: order["number"], status: "shipped" },
    warehouse: { name: "Galveston" },
  });
});

test("a seed that cannot be done is one line", async () => {
  await expect(seed({ DATABASE_URL: "mysql://h/d" })).rejects.toThrow("DATABASE_URL is neither");
});
