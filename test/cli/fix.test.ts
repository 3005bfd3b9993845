import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyOf, generator, minimalProject } from "./command-line.js";

let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

const ORDERS = `# Orders of the shop.
resource: orders
entity: order
properties:
  # When it should arrive.
  due_date: { type: timestamp, sortable: true }
  Status: { enum: [open, "in progress", 'DONE'], default: "in progress", filterable: true } # its state
  tag: { type: array, items: string }
aliases:
  Done_Orders: { description: Those that are done., where: { Status: DONE }, sort: [-due_date] }
`;

const MENDED = `# Orders of the shop.
resource: orders
entity: order
properties:
  # When it should arrive.
  dueDate: { type: timestamp, sortable: true }
  status: { enum: [open, "inProgress", 'done'], default: "inProgress", filterable: true } # its state
  tags: { type: array, items: string }
aliases:
  doneorders: { description: Those that are done., where: { status: done }, sort: [-dueDate] }
`;

function withOrders(text: string): { readonly project: string; readonly file: string } {
  const project = copyOf(made);
  const file = join(project, "resources/v1/orders.yaml");
  writeFileSync(file, text);
  return { project, file };
}

test("--fix writes names as the rules ask, with all that names them, and nothing else", async () => {
  const { project, file } = withOrders(ORDERS);
  const refused = await generator(["validate", project]);
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toContain('"generator validate --fix" writes 6 names as the rule asks.');
  expect(readFileSync(file, "utf8")).toBe(ORDERS);

  const fixed = await generator(["validate", project, "--fix"]);
  expect(readFileSync(file, "utf8")).toBe(MENDED);
  expect(fixed).toMatchObject({ exitCode: 0, err: "" });
  expect(fixed.out).toContain("fixed  resources/v1/orders.yaml:6:3  due_date -> dueDate\n");
  const again = await generator(["generate", project, "--fix"]);
  expect(again).toMatchObject({ exitCode: 0, err: "" });
  expect(again.out).toMatch(/^Nothing could be fixed\.\n/);
});

test("a reference that was called <x>_id loses the ending, and so does one called <x>Id", async () => {
  const { project, file } = withOrders(
    "resource: orders\nentity: order\nproperties:\n" +
      "  room_id: { reference: rooms, external: true }\n" +
      "  hall_ids: { type: array, items: { reference: halls, external: true } }\n" +
      "  shopId: { reference: shops, external: true, filterable: true }\n",
  );
  const fixed = await generator(["validate", project, "--fix"]);
  expect(fixed).toMatchObject({ exitCode: 0, err: "" });
  expect(readFileSync(file, "utf8")).toBe(
    "resource: orders\nentity: order\nproperties:\n" +
      "  room: { reference: rooms, external: true }\n" +
      "  halls: { type: array, items: { reference: halls, external: true } }\n" +
      "  shop: { reference: shops, external: true, filterable: true }\n",
  );
});

test("line ends and a byte order mark stay", async () => {
  const windows = (text: string): string => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
  const { project, file } = withOrders(windows(ORDERS));
  expect((await generator(["validate", project, "--fix"])).exitCode).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(windows(MENDED));
});

test("what a person has to decide stays, and is told", async () => {
  const both = ORDERS.replace("  tag:", "  dueDate: string\n  tag:");
  const { project, file } = withOrders(both);
  const fixed = await generator(["validate", project, "--fix", "--json"]);
  expect(fixed.exitCode).toBe(1);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("  due_date: {");
  expect(text).toContain("  tags: {");
  // Its JSON is compared by what is in it.
  const answer = JSON.parse(fixed.out) as { fixed: object[]; diagnostics: { code: string }[] };
  expect(answer.fixed).toContainEqual({
    ...{ file: "resources/v1/orders.yaml", line: 9, column: 3, endLine: 9, endColumn: 6 },
    ...{ before: "tag", after: "tags" },
  });
  expect(answer.diagnostics.map(({ code }) => code)).toContain("NAM-2");
});

test("two names that would become one stay, and are not promised", async () => {
  const { project, file } = withOrders(
    "resource: orders\nentity: order\nproperties:\n" +
      "  first_name: string\n  first-name: string\n" +
      "  kind: { enum: [one-time, one_time, ORDER] }\n",
  );
  const refused = await generator(["validate", project]);
  expect(refused.err).toContain('"generator validate --fix" writes one name as the rule asks.');
  const fixed = await generator(["validate", project, "--fix"]);
  expect(fixed.exitCode).toBe(1);
  expect(fixed.err).not.toContain("--fix");
  const text = readFileSync(file, "utf8");
  expect(text).toContain("  first_name: string\n  first-name: string\n");
  // What the entity is called has another meaning.
  expect(text).toContain("{ enum: [one-time, one_time, order] }");
});
