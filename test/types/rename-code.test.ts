import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { generator, type Run } from "../cli/command-line.js";
import { COMPILERS, wholeService } from "../support/compiled-service.js";
import { readTree, writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { SERVICES } from "../support/service-folders.js";

const CUSTOMERS = `resource: customers
entity: customer
properties:
  name: { type: string, required: true, maxLength: 100, filterable: true, sortable: true }
  fax: string
  kind: { enum: [private, company], filterable: true }
`;

const ORDERS = `resource: orders
entity: order
properties:
  title: { type: string, maxLength: 40, sortable: true }
  fax: string
  status: { enum: [open, closed], required: true }
  lines:
    type: array
    items: { type: object, properties: { pieces: integer, note: string } }
  customer: { reference: customers, required: true, embed: [name], filterable: true }
`;

const OWN_ORDERS = `import type { Order, OrderStatus } from "../generated/entities/orders/orders.entity.js";
import type { OrderHooks } from "../generated/entities/orders/orders.hooks.js";
import type { ServiceContext } from "../generated/context.js";
import { nameOf } from "./customers.js";

const CLOSED: OrderStatus = "closed";
const FAX = "fax";

function linesOf({ lines, fax }: Order): string {
  return [...lines.map(({ note, pieces }) => \`\${note}: \${pieces}\`), fax].join();
}

async function sameCustomer({ customer: { customerId } }: Order, { services }: ServiceContext): Promise<number> {
  const where = { "customer.customerId": customerId };
  const { itemCount } = await services.orders.list({ where, sort: ["-title"] });
  const all = await services.orders.list({ where: { "customer.name": "Ann" }, sort: ["title"] });
  return itemCount + all.itemCount;
}

export const orders: OrderHooks = {
  async validate(next, stored, problems, context) {
    for (const [index, { note }] of next.lines.entries()) {
      if (note === null) problems.add(\`lines[\${index}].note\`, "is missing");
    }
    if (next.lines.length > 9) problems.add("lines", "are too many");
    if (stored !== null && linesOf(stored) === FAX && (await sameCustomer(stored, context)) > 1) {
      problems.add("title", "is used");
    }
  },
  async beforeCreate(order, { services }) {
    order.fax ??= order["title"];
    const customer = await services.customers.read(order.customer.customerId);
    order.title = \`\${nameOf(customer)} \${customer.fax}\`;
    if (order.status === CLOSED) order.lines = [{ pieces: 1, note: null }];
  },
};
`;

const OWN_CUSTOMERS = `import type { Customer } from "../generated/entities/customers/customers.entity.js";
import type { CustomerHooks } from "../generated/entities/customers/customers.hooks.js";

/** Not the one of the generated code. */
export interface Client {
  readonly label: string;
}

export function nameOf(customer: Customer): string {
  const client: Client = { label: customer.name };
  return client.label;
}

export const customers: CustomerHooks = {
  beforeCreate(customer) {
    customer.kind ??= "private";
  },
};
`;

const OWN_TEST = `import test from "node:test";
import { customers, nameOf } from "../../src/custom/customers.js";
import { createTestApp } from "../generated/testing.js";

test("own", async () => {
  const app = await createTestApp();
  const body = { name: "Ann", fax: "1" };
  const customer = await app.services.customers.create(body);
  const order = { customer, title: "first", fax: "2", status: "open" as const, lines: [{ note: "a" }] };
  const { title: fax } = await app.services.orders.create(order);
  if (nameOf(customer) === fax && customers.beforeCreate !== undefined) throw new Error(body.fax);
  await app.close();
});
`;

const PROJECT = join(SERVICES, "rename-code");
const OWN = ["src/custom/orders.ts", "src/custom/customers.ts", "test/custom/own.test.ts"];

beforeEach(async () => {
  const schemas = {
    "service.yaml": "service: sample\n",
    "resources/v1/customers.yaml": CUSTOMERS,
    "resources/v1/orders.yaml": ORDERS,
  };
  rmSync(PROJECT, { recursive: true, force: true });
  writeTree(PROJECT, {
    ...(await wholeService(await renderValid(schemas))),
    ...schemas,
    "src/custom/orders.ts": OWN_ORDERS,
    "src/custom/customers.ts": OWN_CUSTOMERS,
    "test/custom/own.test.ts": OWN_TEST,
  });
  expect(await generator(["generate", PROJECT])).toMatchObject({ exitCode: 0, err: "" });
  expect(compiled()).toBe("");
});

/** What the compiler of a service says of all its code. */
function compiled(): string {
  const command = [COMPILERS.fast, "--noEmit", "-p", "test"];
  return spawnSync(process.execPath, command, { cwd: PROJECT, encoding: "utf8" }).stdout;
}

/** Edits a schema: each text is replaced by the one beside it. */
function edit(path: string, ...replaced: readonly (readonly [string, string])[]): void {
  const file = join(PROJECT, path);
  const text = replaced.reduce(
    (now, [from, to]) => {
      expect(now).toContain(from);
      return now.replace(from, to);
    },
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, text);
}

async function renameCode(...flags: readonly string[]): Promise<Run> {
  return generator(["generate", "--rename-code", ...flags, PROJECT]);
}

function own(path: string): string {
  return readFileSync(join(PROJECT, path), "utf8");
}

/** Renames of properties, of a member, of a reference and of an enum; `fax` of customers stays. */
function renameProperties(): void {
  edit(
    "resources/v1/orders.yaml",
    ["title: { type", "subject: { renamedFrom: title, type"],
    ["fax: string", "telefax: { type: string, renamedFrom: fax }"],
    ["status: {", "state: { renamedFrom: status,"],
    ["lines:\n", "rows:\n    renamedFrom: lines\n"],
    ["note: string", "remark: { type: string, renamedFrom: note }"],
    ["customer: {", "buyer: { renamedFrom: customer,"],
  );
}

test("properties and members have their new names in own code, which compiles", async () => {
  renameProperties();
  const before = OWN.map(own);
  const dry = await renameCode("--dry-run");
  expect(OWN.map(own)).toEqual(before);
  const { out, err, exitCode } = await renameCode();
  expect([exitCode, err]).toEqual([0, ""]);
  // What was shown is what is done.
  const shown = (text: string): readonly string[] => text.match(/^\d+ [-+] .*$/gm) ?? [];
  expect(shown(out)).toEqual(shown(dry.out));
  expect(compiled()).toBe("");
  const orders = own("src/custom/orders.ts");
  expect(orders).toContain("function linesOf({ rows: lines, telefax: fax }: Order)");
  expect(orders).toContain("({ remark: note, pieces })");
  expect(orders).toContain('const CLOSED: OrderState = "closed";\nconst FAX = "fax";');
  expect(orders).toContain('{ "buyer.customerId": customerId }');
  expect(orders).toContain('sort: ["-subject"]');
  expect(orders).toContain("problems.add(`rows[${index}].remark`");
  expect(orders).toContain('order.telefax ??= order["subject"];');
  expect(orders).toContain("${customer.fax}");
  expect(own("test/custom/own.test.ts")).toContain('{ name: "Ann", fax: "1" }');
  // Once is enough.
  const again = await renameCode();
  expect(again.out).toContain("No file of your own names");
  expect(OWN.map(own).join("")).toContain("telefax");
});

/** Renames the resource of customers, and its entity. */
function renameResource(): void {
  renameSync(
    join(PROJECT, "resources/v1/customers.yaml"),
    join(PROJECT, "resources/v1/clients.yaml"),
  );
  edit("resources/v1/clients.yaml", [
    "resource: customers\nentity: customer\n",
    "resource: clients\nentity: client\nrenamedFrom: customers\n",
  ]);
  edit("resources/v1/orders.yaml", ["reference: customers", "reference: clients"]);
}

test("a resource has its new name in own code, and so has the file that is named after it", async () => {
  renameResource();
  edit("resources/v1/orders.yaml", ["customer: {", "client: { renamedFrom: customer,"]);
  const { out, exitCode } = await renameCode();
  expect(exitCode).toBe(0);
  expect(compiled()).toBe("");
  expect(existsSync(join(PROJECT, "src/custom/customers.ts"))).toBe(false);
  expect(out).toContain("src/custom/customers.ts -> src/custom/clients.ts");
  const clients = own("src/custom/clients.ts");
  expect(clients).toContain("export const clients: ClientHooks = {");
  expect(own("src/custom/orders.ts")).toContain('import { nameOf } from "./clients.js";');
  expect(own("src/custom/orders.ts")).toContain("order.client.clientId");
  // The file has a name of its own that is the new one of a type.
  expect(clients).toContain("import type { Client as Customer }");
  expect(clients).toContain("export interface Client {");
  expect(out).toContain(
    "left  src/custom/clients.ts has a Client of its own".replace("clients", "customers"),
  );
});

test("all of them at once", async () => {
  renameProperties();
  renameResource();
  expect(await renameCode()).toMatchObject({ exitCode: 0 });
  expect(compiled()).toBe("");
});

test("nothing but own code of the service is touched, and without the flag not even that", async () => {
  renameProperties();
  const { "generator.lock": lock, ...before } = readTree(PROJECT);
  expect(lock).toBeDefined();
  expect(await generator(["generate", PROJECT])).toMatchObject({ exitCode: 0 });
  expect(OWN.map(own)).toEqual(OWN.map((path) => before[path]));
  // Once the generated code has the new names, types do not tell what had the old ones.
  const late = await renameCode();
  expect(late.out).toContain("git checkout generator.lock src/generated test/generated");
  expect(OWN.map(own)).toEqual(OWN.map((path) => before[path]));
  expect(compiled()).toContain("Property 'fax' does not exist");
});

test("a project without a compiler is told what it needs", async () => {
  renameProperties();
  rmSync(join(PROJECT, "tsconfig.json"));
  rmSync(join(PROJECT, "test/tsconfig.json"));
  const { exitCode, err } = await renameCode();
  expect([exitCode, err]).toEqual([2, expect.stringContaining("There is neither")]);
});
