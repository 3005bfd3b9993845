import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { wholeService } from "../support/compiled-service.js";
import { SERVICES } from "../support/service-folders.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { generator } from "../cli/command-line.js";

const CUSTOMERS = `resource: customers
entity: customer
properties:
  name: { type: string, required: true, maxLength: 100 }
  visits: integer
`;

const ORDERS = `resource: orders
entity: order
properties:
  title: string
  fax: { type: string, maxLength: 40 }
  note: string
  amount: integer
  status: { enum: [open, closed], required: true }
  customer: { reference: customers, required: true }
`;

const EDITED_ORDERS = `resource: orders
entity: order
properties:
  title: string
  telefax: { type: string, maxLength: 40, renamedFrom: fax }
  amount: { type: decimal, scale: 2 }
  status: { enum: [open, done], required: true }
  customer: { reference: customers, required: true }
removed: { note: nobody writes any }
`;

const OWN_ORDERS = `import type { OrderHooks } from "../generated/entities/orders/orders.hooks.js";

export const orders: OrderHooks = {
  beforeCreate(order) {
    order.fax ??= "none";
    order.title ??= "none";
    if (order.amount !== null) order.amount = order.amount * 2;
    const note = order.note ?? "";
    if (order.status === "closed") throw new Error(note);
  },
};
`;

const OWN_CUSTOMERS = `import type { Customer } from "../generated/entities/customers/customers.entity.js";

/** How long a name is. */
export function lengthOf(customer: Customer): number {
  const length: string = customer.name.length;
  return Number(length);
}
`;

const PROJECT = join(SERVICES, "own-code");
const ORDERS_PATH = "resources/v1/orders.yaml";

beforeAll(async () => {
  const schemas = {
    "service.yaml":
      "service: sample\nauthentication: { scheme: bearer, issuer: 'https://id.test', audience: sample, keys: ./keys.json }\n",
    "resources/v1/customers.yaml": CUSTOMERS,
    [ORDERS_PATH]: ORDERS,
  };
  rmSync(PROJECT, { recursive: true, force: true });
  writeTree(PROJECT, {
    ...(await wholeService(await renderValid(schemas))),
    ...schemas,
    "src/custom/orders.ts": OWN_ORDERS,
    // Nothing imports it, and it is looked at all the same.
    "test/custom/customers.test.ts": OWN_CUSTOMERS.replaceAll(
      "../generated",
      "../../src/generated",
    ),
  });
  git("init", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=start");
  await generator(["generate", PROJECT]);
});

test("a mistake of one's own is told, and that no edit of a schema is why", async () => {
  const { exitCode, err, out } = await generator(["check", "--types", PROJECT]);
  expect(err).toBe(`test/custom/customers.test.ts:5:9  error  SCH-261
    5 |   const length: string = customer.name.length;
      |         ^^^^^^
  This does not compile, and no edit of the schemas is why: Type 'number' is not assignable to type 'string'.   generator explain SCH-261

1 error.
`);
  expect(out).not.toContain("Nothing to do");
  expect(exitCode).toBe(1);
});

const MISFITS = [
  "src/custom/orders.ts:5 SCH-260 resources/v1/orders.yaml:5 `fax` is called `telefax` now.",
  "src/custom/orders.ts:7 SCH-260 resources/v1/orders.yaml:6 `amount` is decimal; it was integer.",
  "src/custom/orders.ts:8 SCH-260 resources/v1/orders.yaml:3 `note` is gone.",
  "src/custom/orders.ts:9 SCH-260 resources/v1/orders.yaml:7 `status` may be `done`. resources/v1/orders.yaml:7 `status` can no longer be `closed`.",
  "test/custom/customers.test.ts:5 SCH-261",
];

test("each line that no longer fits is told with the edit that caused it, before generating and after it", async () => {
  writeFileSync(join(PROJECT, ORDERS_PATH), EDITED_ORDERS);
  const before = await generator(["check", "--types", "--json", PROJECT]);
  expect(misfitsOf(before.out)).toEqual(MISFITS);
  const own = readFileSync(join(PROJECT, "src/custom/orders.ts"), "utf8");
  expect(await generator(["generate", PROJECT])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(PROJECT, "src/custom/orders.ts"), "utf8")).toBe(own);
  const after = await generator(["check", "--types", "--json", PROJECT]);
  expect(misfitsOf(after.out)).toEqual(MISFITS);
  expect(after.exitCode).toBe(1);
});

test("once the lines are mended nothing is told", async () => {
  const mended = OWN_ORDERS.replace("order.fax", "order.telefax")
    .replace("order.amount * 2", "`${order.amount}0`")
    .replace('order.note ?? ""', '"done"')
    .replace('"closed"', '"done"');
  writeFileSync(join(PROJECT, "src/custom/orders.ts"), mended);
  rmSync(join(PROJECT, "test/custom/customers.test.ts"));
  const { exitCode, out, err } = await generator(["check", "--types", PROJECT]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  expect(out).toMatch(/Types: \d+ files of your own fit the generated code\./);
});

test("an action that is new, and a scope that is asked for, are told as what is missing", async () => {
  git("add", "--all");
  git("commit", "--quiet", "--message=mended");
  writeFileSync(
    join(PROJECT, ORDERS_PATH),
    `${EDITED_ORDERS.replace("removed:", "  total: { type: integer, readOnly: true }\nremoved:")}actions: { ship: { input: { carrier: string } } }\n`,
  );
  const path = join(PROJECT, "resources/v1/customers.yaml");
  writeFileSync(path, `${CUSTOMERS}access: { read: [custom] }\n`);
  const { out } = await generator(["check", "--types", "--json", PROJECT]);
  expect(misfitsOf(out)).toEqual([
    "src/custom/customers.ts:6 SCH-260 resources/v1/customers.yaml:6 `access` says `custom` now, so that `scope` is asked.",
    "src/custom/orders.ts:3 SCH-260 resources/v1/orders.yaml:11 The action `ship` is new.",
  ]);
});

test("a version that is retired is told as such", async () => {
  const root = join(SERVICES, "own-code-of-versions");
  const inVersions = (status: string): string =>
    `service: sample\nversions: { v1: ${status}, v2: draft }\n`;
  const schemas = {
    "service.yaml": inVersions("draft"),
    "resources/v1/customers.yaml": CUSTOMERS,
    "resources/v2/customers.yaml": `${CUSTOMERS.replace("  visits: integer\n", "")}removed: { visits: nobody counts }\n`,
  };
  rmSync(root, { recursive: true, force: true });
  writeTree(root, {
    ...(await wholeService(await renderValid(schemas))),
    ...schemas,
    "src/custom/customers.ts": `import type { CustomerHooks } from "../generated/entities/customers/customers.hooks.js";

export const customers: CustomerHooks = {
  beforeCreate(customer) {
    customer.visits ??= 0;
  },
};
`,
    "test/custom/older.test.ts": `import { customerRoutes } from "../../src/generated/v1/customers/customers.routes.js";

export const older = customerRoutes;
`,
  });
  git("init", "--initial-branch=main", root);
  git("-C", root, "add", "--all");
  git("-C", root, "commit", "--quiet", "--message=start");
  await generator(["generate", root]);
  writeFileSync(join(root, "service.yaml"), inVersions("retired"));
  const { out } = await generator(["check", "--types", "--json", root]);
  const retired = "service.yaml:2 v1 is retired: nothing is generated for it any more.";
  expect(misfitsOf(out)).toEqual([
    `src/custom/customers.ts:5 SCH-260 ${retired}`,
    `test/custom/older.test.ts:1 SCH-260 ${retired}`,
  ]);
});

const CAMPAIGNS = `resource: campaigns
entity: campaign
properties:
  title: string
  status: { enum: [open, closed], filterable: true }
access: { read: [custom] }
`;

const TICKETS = `resource: tickets
entity: ticket
properties:
  title: string
  campaign: { reference: campaigns }
`;

const OWN_CAMPAIGNS = `import { CAMPAIGN_STATUS_VALUES } from "../generated/entities/campaigns/campaigns.entity.js";
import type { CampaignHooks } from "../generated/entities/campaigns/campaigns.hooks.js";

export const campaigns: CampaignHooks = {
  scope({ roles, subject }) {
    const { userPrincipalName: name } = subject;
    return { status: CAMPAIGN_STATUS_VALUES.filter((one) => roles.includes(one) || one === name) };
  },
  beforeCreate(campaign) {
    campaign.title ??= "none";
  },
};
`;

test("a resource that has another name is told as such, and what follows from it is not", async () => {
  const root = join(SERVICES, "own-code-of-campaigns");
  const [own, moved] = ["src/custom/campaigns.ts", "src/custom/promotions.ts"] as const;
  const schemas = {
    "service.yaml": readFileSync(join(PROJECT, "service.yaml"), "utf8"),
    "resources/v1/campaigns.yaml": CAMPAIGNS,
    "resources/v1/tickets.yaml": TICKETS,
  };
  rmSync(root, { recursive: true, force: true });
  const whole = await wholeService(await renderValid(schemas));
  writeTree(root, { ...whole, ...schemas, [own]: OWN_CAMPAIGNS });
  git("init", "--initial-branch=main", root);
  git("-C", root, "add", "--all");
  git("-C", root, "commit", "--quiet", "--message=start");
  await generator(["generate", root]);
  rmSync(join(root, "resources/v1/campaigns.yaml"));
  writeFileSync(
    join(root, "resources/v1/promotions.yaml"),
    CAMPAIGNS.replace(
      /^.*\n.*\n/,
      "resource: promotions\nentity: promotion\nrenamedFrom: campaigns\n",
    ),
  );
  writeFileSync(
    join(root, "resources/v1/tickets.yaml"),
    TICKETS.replace("title: string", "subject: { type: string, renamedFrom: title }").replace(
      "campaign: { reference: campaigns",
      "promotion: { reference: promotions, renamedFrom: campaign",
    ),
  );
  const cause = "resources/v1/promotions.yaml:3 `campaigns` is called `promotions` now.";
  const before = await generator(["check", "--types", "--json", root]);
  expect(misfitsOf(before.out)).toEqual([1, 2].map((line) => `${own}:${line} SCH-260 ${cause}`));
  await generator(["generate", root]);
  renameSync(join(root, own), join(root, moved));
  const after = await generator(["check", "--types", "--json", root]);
  // Once for the import of a type, and once for the export that the generated code looks for.
  expect(misfitsOf(after.out)).toEqual([1, 2].map((line) => `${moved}:${line} SCH-260 ${cause}`));
  expect(after.out.match(/There is no export 'promotions'/g)).toHaveLength(1);
});

/** `file:line code` of each, and the first edit that is named. */
function misfitsOf(json: string): string[] {
  const { diagnostics } = JSON.parse(json) as {
    diagnostics: {
      file: string;
      line: number;
      code: string;
      related?: { file: string; line: number; message: string }[];
    }[];
  };
  const lines = diagnostics.map(({ file, line, code, related = [] }) => {
    const causes = related.map((one) => ` ${one.file}:${one.line} ${one.message}`);
    return `${file}:${line} ${code}${causes.join("")}`;
  });
  return [...new Set(lines)];
}

function git(...parameters: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  execFileSync("git", [...identity, ...parameters], { cwd: PROJECT, stdio: "pipe" });
}
