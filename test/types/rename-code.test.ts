import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { generator, type Run } from "../cli/command-line.js";
import { COMPILERS, wholeService } from "../support/compiled-service.js";
import { readTree, writeTree } from "../support/read-tree.js";
import { renderValid, type Texts } from "../support/render-files.js";
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
    items: { type: object, properties: { pieces: integer, note: { type: string, filterable: true } } }
  customer: { reference: customers, required: true, embed: [name], filterable: true }
`;

const OWN_ORDERS = `import type { Order, OrderStatus } from "../generated/entities/orders/orders.entity.js";
import type { OrderHooks } from "../generated/entities/orders/orders.hooks.js";
import type { ServiceContext } from "../generated/services.js";
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

export async function report({ sql }: ServiceContext): Promise<number> {
  const { orders: all } = sql;
  const found = await sql\`SELECT \${all.title} AS title, \${sql.customers.fax} AS fax, COUNT(*) AS number
    FROM \${all} JOIN \${sql.customers} ON \${sql.customers.customerId} = \${all.customer.customerId}
    WHERE \${sql.orders.fax} = \${sql.orders.fax.of(FAX)} AND \${sql.orders.as("o").status} = \${CLOSED}
      AND EXISTS (SELECT 1 FROM \${sql.orders.lines} WHERE \${sql.orders.lines.note} = 'x' AND \${sql.orders.lines.orderId} = \${all.orderId})\`.rows({
    title: sql.string.orNull,
    fax: sql.string.orNull,
    number: sql.integer,
  });
  return found.length;
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
import type { CustomerCreateDto, CustomerDto } from "../../src/generated/v1/customers/customers.dto.js";
import { createTestApp } from "../generated/testing.js";

test("own", async () => {
  const app = await createTestApp();
  const body: CustomerCreateDto = { name: "Ann", fax: "1" };
  const customer: CustomerDto = await app.services.customers.create(body);
  const order = { customer, title: "first", fax: "2", status: "open" as const, lines: [{ note: "a" }] };
  const { title: fax } = await app.services.orders.create(order);
  if (nameOf(customer) === fax && customers.beforeCreate !== undefined) throw new Error(String(body.fax));
  await app.close();
});
`;

const PROJECT = join(SERVICES, "rename-code");
const OWN = ["src/custom/orders.ts", "src/custom/customers.ts", "test/custom/own.test.ts"];

/** The project before anything is renamed, which each test has a copy of. */
const MADE = `${PROJECT}-made`;

beforeAll(async () => {
  const schemas = {
    "service.yaml": "service: sample\n",
    "resources/v1/customers.yaml": CUSTOMERS,
    "resources/v1/orders.yaml": ORDERS,
  };
  rmSync(MADE, { recursive: true, force: true });
  writeTree(MADE, {
    ...(await wholeService(await renderValid(schemas))),
    ...schemas,
    "src/custom/orders.ts": OWN_ORDERS,
    "src/custom/customers.ts": OWN_CUSTOMERS,
    "test/custom/own.test.ts": OWN_TEST,
  });
  expect(await generator(["generate", MADE])).toMatchObject({ exitCode: 0, err: "" });
  copyMade();
  expect(compiled()).toBe("");
});

beforeEach(copyMade);

function copyMade(): void {
  rmSync(PROJECT, { recursive: true, force: true });
  cpSync(MADE, PROJECT, { recursive: true, preserveTimestamps: true });
}

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
    ["note: { type: string", "remark: { renamedFrom: note, type: string"],
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
  expect(orders).toContain("SELECT ${all.subject} AS title, ${sql.customers.fax} AS fax");
  expect(orders).toContain("${sql.customers.customerId} = ${all.buyer.customerId}");
  expect(orders).toContain("${sql.orders.telefax} = ${sql.orders.telefax.of(FAX)}");
  expect(orders).toContain('${sql.orders.as("o").state} = ');
  expect(orders).toContain("FROM ${sql.orders.rows} WHERE ${sql.orders.rows.remark} = 'x'");
  expect(own("test/custom/own.test.ts")).toContain('{ name: "Ann", fax: "1" }');
  // Once is enough.
  const again = await renameCode();
  expect(again.out).toContain("so there is nothing to rename");
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
  expect(own("src/custom/orders.ts")).toContain(
    "JOIN ${sql.clients} ON ${sql.clients.clientId} = ${all.client.clientId}",
  );
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

/** Adds files of the user's own, which compile. */
function add(files: Texts): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(PROJECT, path), text);
  expect(compiled()).toBe("");
}

const STAYS = `import type { ServiceContext } from "./generated/services.js";

const DEFAULTS = { fax: "fax" };
const TEXTS = ["Send a fax to us", "https://a.example/fax/b?fax=1", "\\u00e9 fax\\n"];

export async function send({ services }: ServiceContext): Promise<string> {
  const { customerId } = await services.customers.create({ name: "fax", ...DEFAULTS });
  await fetch("http://127.0.0.1/", { method: "POST", body: JSON.stringify(DEFAULTS) });
  return \`fax\\tof \${customerId} \${TEXTS.join()}\`;
}
`;

const USED = `import type { ServiceContext } from "./generated/services.js";

const BASE = { fax: "fax", status: "open" } as const;

export async function order(customerId: string, { services }: ServiceContext): Promise<string> {
  const customer = { customerId };
  const { title, fax } = await services.orders.create({ ...BASE, customer, title: "\\u00e9 fax\\n\\t" });
  await services.orders.create({ ...BASE, customer, title: ["mailto", "fax"].join(":") + "a/fax?fax=1" });
  return \`\${title} fax \${fax}\`;
}
`;

test("a text or an object that means something else stays as it is", async () => {
  // Bytes that an editor has put there, or git has.
  add({ "src/stays.ts": STAYS, "src/used.ts": `\uFEFF${USED.replaceAll("\n", "\r\n")}` });
  renameProperties();
  const { out } = await renameCode();
  expect(own("src/stays.ts")).toBe(STAYS);
  const changed = [
    ['{ fax: "fax", status: "open" }', '{ telefax: "fax", state: "open" }'],
    ["const { title, fax }", "const { subject: title, telefax: fax }"],
    ['customer, title: "', 'buyer: customer, subject: "'],
    ["customer, title: [", "buyer: customer, subject: ["],
  ] as const;
  const text = changed.reduce((now, [from, to]) => now.replace(from, to), USED);
  expect(own("src/used.ts")).toBe(`\uFEFF${text.replaceAll("\n", "\r\n")}`);
  expect(compiled()).toBe("");
  expect(out).toMatch(
    /an old name, which may mean something else.*\n(?: {2}.*\n)* {2}src\/stays\.ts:3\n/,
  );
});

test("an object that is used for several things stays, and is told", async () => {
  add({
    "src/stays.ts": `import type { ServiceContext } from "./generated/services.js";

const DEFAULTS = { status: "open" } as const;

export async function send(customerId: string, { services }: ServiceContext): Promise<string> {
  await services.orders.create({ ...DEFAULTS, customer: { customerId } });
  return JSON.stringify(DEFAULTS);
}
`,
  });
  renameProperties();
  const { out } = await renameCode();
  expect(own("src/stays.ts")).toContain('const DEFAULTS = { status: "open" } as const;');
  expect(own("src/stays.ts")).toContain("{ ...DEFAULTS, buyer: { customerId } }");
  expect(out).toContain("left  src/stays.ts:3 has status for something else as well.");
  expect(compiled()).toContain("src/stays.ts(6");
});

test("a property that is gone is not the one that another resource has renamed", async () => {
  edit("resources/v1/orders.yaml", ["fax: string", "telefax: string"]);
  writeFileSync(
    join(PROJECT, "resources/v1/orders.yaml"),
    `${readFileSync(join(PROJECT, "resources/v1/orders.yaml"), "utf8")}removed: { fax: nobody has one }\n`,
  );
  edit("resources/v1/customers.yaml", [
    "fax: string",
    "telefax: { type: string, renamedFrom: fax }",
  ]);
  expect(await renameCode()).toMatchObject({ exitCode: 0 });
  expect(own("src/custom/orders.ts")).toContain("order.fax ??= ");
  expect(own("src/custom/orders.ts")).toContain("${customer.telefax}");
});

test("a path of a problem has the names that its own members have", async () => {
  edit("resources/v1/orders.yaml", [
    "note: { type: string",
    "remark: { renamedFrom: note, type: string",
  ]);
  await renameCode();
  // It compiles in either case: the type looks at the first member only.
  expect(own("src/custom/orders.ts")).toContain("problems.add(`lines[${index}].remark`");
});

test("a comment takes no name, and a file that exports a type again goes on doing so", async () => {
  add({
    "src/custom/customers.ts": `// Sales calls customers clients.\n${OWN_CUSTOMERS}`,
    "src/lib.ts":
      'export type { Customer } from "./generated/entities/customers/customers.entity.js";\nexport interface Client {\n  readonly label: string;\n}\n',
    "src/uses.ts": 'import type { Customer } from "./lib.js";\n\nexport type Both = Customer;\n',
  });
  renameResource();
  await renameCode();
  expect(compiled()).toBe("");
  expect(own("src/custom/clients.ts")).toContain("export const clients: ClientHooks = {");
  expect(own("src/lib.ts")).toContain("export type { Client as Customer } from");
  expect(own("src/uses.ts")).toContain('import type { Customer } from "./lib.js";');
});

test("code moves over a file that the generator has made meanwhile, and nobody has worked on", async () => {
  const generated = ["generator.lock", "src/generated", "test/generated"];
  renameResource();
  await generator(["generate", PROJECT]);
  expect(existsSync(join(PROJECT, "src/custom/clients.ts"))).toBe(true);
  for (const path of generated) {
    rmSync(join(PROJECT, path), { recursive: true });
    cpSync(join(MADE, path), join(PROJECT, path), { recursive: true });
  }
  expect(await renameCode()).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(PROJECT, "src/custom/customers.ts"))).toBe(false);
  expect(own("src/custom/clients.ts")).toContain("client.label");
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
