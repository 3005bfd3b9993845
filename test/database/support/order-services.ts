import { join } from "node:path";
import { inject } from "vitest";
import { stringify } from "yaml";
import type { MigrationFile } from "#runtime/store/migrations/migration";
import type { ServiceRegistry } from "#runtime/http/settings";
import type { createService } from "#runtime/service/service";
import type { resetDatabase } from "#runtime/testing/development-commands";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { compiledModule } from "../../support/compiled-module.js";
import { serviceFolder } from "../../support/service-folders.js";
import { makeSchema, schemaUrl } from "../../support/postgres-schema.js";
import { writeTree } from "../../support/read-tree.js";
import type { RenderedProject } from "../../../src/commands/render-project.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { bundleService } from "../../support/transpile.js";
import { serviceRuntime } from "../../support/runtime.js";

/** What a schema says of orders. */
export type Yaml = Readonly<Record<string, unknown>>;

/** The databases that a service can have. */
export const DATABASES = ["sqlite", "postgres"] as const;

/** A generated service of orders: its code, as it was generated. */
export interface OrderService {
  /** Its migrations, by path. */
  readonly migrations: Texts;
  readonly registry: ServiceRegistry;
  readonly createService: typeof createService;
  readonly resetDatabase: typeof resetDatabase;
}

const ORDERS = "/api/v1/orders";
const FIRST = "migrations/0001-initial/";

/** Generates a service of orders with these properties; `before`: as an edit of another one. */
export function orderService(
  name: string,
  properties: Yaml,
  keywords: Yaml = {},
  before: Pick<OrderService, "migrations"> = { migrations: {} },
): Promise<OrderService> {
  return written(name, { ...keywords, properties }, (texts) => texts, before.migrations);
}

/** Likewise, with migrations as they were made before there were steps. */
export function olderOrderService(
  name: string,
  properties: Yaml,
  keywords: Yaml = {},
): Promise<OrderService> {
  return written(`older-${name}`, { ...keywords, properties }, (texts) => {
    const { [`${FIRST}migration.json`]: file = "", ...others } = texts;
    const { steps } = JSON.parse(file) as MigrationFile;
    const tables = steps.flatMap((step) => (step.step === "createTable" ? [step.table] : []));
    return { ...others, [`${FIRST}storage.json`]: JSON.stringify({ format: 1, tables }) };
  });
}

async function written(
  name: string,
  yaml: Yaml,
  change: (texts: Texts) => Texts,
  before: Texts = {},
): Promise<OrderService> {
  const project = await renderValid({
    "service.yaml": "service: store\n",
    "resources/v1/orders.yaml": stringify(
      { resource: "orders", entity: "order", ...yaml },
      { aliasDuplicateObjects: false },
    ),
    ...before,
  });
  return compiled(name, project, change);
}

/** Writes and loads a service that was generated. */
export async function compiled(
  name: string,
  { outputs }: RenderedProject,
  change: (texts: Texts) => Texts = (texts) => texts,
): Promise<OrderService> {
  const fixture = `storage/${name}`;
  const folder = serviceFolder(fixture);
  const texts = Object.fromEntries(outputs.map(({ path, text }) => [path, text ?? ""]));
  writeTree(folder, change(texts));
  await bundleService(folder);
  const { registry } = await compiledModule<Pick<OrderService, "registry">>(
    fixture,
    "generated/app",
  );
  const load = <Module>(module: string) => serviceRuntime<Module>(fixture, module);
  const { createService } = await load<Pick<OrderService, "createService">>("service/service");
  const { resetDatabase } = await load<Pick<OrderService, "resetDatabase">>(
    "testing/development-commands",
  );
  const migrations = Object.fromEntries(
    Object.entries(texts).filter(([path]) => path.startsWith("migrations/")),
  );
  return { migrations, registry, createService, resetDatabase };
}

/** The URL of a new database. */
export async function newDatabase(database: (typeof DATABASES)[number]): Promise<string> {
  if (database === "sqlite") return `sqlite:${join(temporaryFolder(), "store.db")}`;
  const url = schemaUrl(inject("postgresUrl"));
  await makeSchema(url);
  return url;
}

/** Runs a service while `work` sends requests to it. */
export async function whileServing<T>(
  { registry, createService }: OrderService,
  databaseUrl: string,
  work: (orders: string) => Promise<T>,
): Promise<T> {
  const service = await createService(registry, { databaseUrl });
  try {
    return await work(`${await service.listen()}${ORDERS}`);
  } finally {
    // A stop waits for clients that keep a connection.
    service.app.server.closeIdleConnections();
    await service.close();
  }
}

/** Why a service does not start; throws when it does. */
export async function refusal(
  { registry, createService }: OrderService,
  databaseUrl: string,
): Promise<string> {
  const started = await createService(registry, { databaseUrl }).catch((error: unknown) => error);
  if (started instanceof Error) return started.message;
  throw new Error("it has started");
}

/** Stores an order; returns its URL. */
export async function placeOrder(orders: string, body: Yaml): Promise<string> {
  const headers = { "content-type": "application/json" };
  const made = await fetch(orders, { method: "POST", headers, body: JSON.stringify(body) });
  if (made.status !== 201) throw new Error(await made.text());
  return made.headers.get("location") ?? "";
}

/** One order, as it is answered. */
export async function readOrder(orders: string, url: string): Promise<Yaml> {
  const { text } = await exchange(orders, url);
  // A body of the contract is a JSON object.
  return JSON.parse(text) as Yaml;
}

/** The answer to a request for one order; a PATCH names no property. */
export async function exchange(
  orders: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method: "GET" | "PATCH" = "GET",
): Promise<{ readonly status: number; readonly tag: string; readonly text: string }> {
  const path = new URL(url).pathname.slice(ORDERS.length);
  const sent =
    method === "GET"
      ? { headers }
      : {
          method,
          headers: { ...headers, "content-type": "application/json" },
          body: "{}",
        };
  const answer = await fetch(orders + path, sent);
  const { status } = answer;
  return { status, tag: answer.headers.get("etag") ?? "", text: await answer.text() };
}
