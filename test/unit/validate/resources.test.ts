import { expect, test } from "vitest";
import { format } from "../../../src/diagnostics/format.js";
import { checkProject, codes } from "./check-project.js";

const SERVICE = "service: helpdesk\n";

function resource(name: string, entity: string, more = ""): string {
  return `resource: ${name}\nentity: ${entity}\nproperties: { title: string }\n${more}`;
}

test.each([
  { name: "tickets", entity: "ticket" },
  { name: "shippingfees", entity: "shippingFee" },
  { name: "people", entity: "person" },
  { name: "statuses", entity: "status" },
  { name: "indices", entity: "index" },
  { name: "indexes", entity: "index" },
  { name: "sheep", entity: "sheep" },
  { name: "news", entity: "news" },
  { name: "series", entity: "series" },
  { name: "shippinginformation", entity: "shippingInformation" },
  { name: "metrics", entity: "metric" },
  { name: "skus", entity: "sku" },
  { name: "smses", entity: "sms" },
  { name: "data", entity: "data" },
  { name: "media", entity: "medium" },
  { name: "pointsofinterest", entity: "pointOfInterest" },
  { name: "taxes", entity: "tax" },
])("$entity is the singular of $name", async ({ name, entity }) => {
  const files = { "service.yaml": SERVICE, [`resources/v1/${name}.yaml`]: resource(name, entity) };
  expect(codes(await checkProject(files))).toEqual([]);
});

test.each([
  { name: "ticket", entity: "ticket", want: ["1:11 NAM-1"], suggestion: '"tickets"' },
  { name: "Tickets", entity: "ticket", want: ["1:11 NAM-1"], suggestion: '"tickets"' },
  {
    name: "shipping_fees",
    entity: "shippingFee",
    want: ["1:11 NAM-1"],
    suggestion: '"shippingfees"',
  },
  { name: "tickets", entity: "tickets", want: ["2:9 IDN-2"], suggestion: '"ticket"' },
  { name: "tickets", entity: "order", want: ["2:9 IDN-2"], suggestion: '"ticket"' },
  {
    name: "shippingfees",
    entity: "shipping_fee",
    want: ["2:9 IDN-2"],
    suggestion: '"shippingFee"',
  },
  { name: "luggage", entity: "luggage", want: ["1:11 NAM-1"], suggestion: "inflections" },
  { name: "promises", entity: "promise", want: ["2:9 SCH-122"], suggestion: "longer name" },
  { name: "returntypes", entity: "returnType", want: ["2:9 SCH-122"], suggestion: "longer name" },
  { name: "../../escape", entity: "escape", want: ["1:11 NAM-1"], suggestion: '"escape"' },
])("$name with the entity $entity is refused with a suggestion", async (given) => {
  const file = /^[a-zA-Z_]+$/.test(given.name) ? given.name : "other";
  const text = resource(given.name, given.entity);
  const files = { "service.yaml": SERVICE, [`resources/v1/${file}.yaml`]: text };
  const checked = await checkProject(files);
  expect(codes(checked).filter((code) => !code.endsWith("SCH-21"))).toEqual(given.want);
  expect(checked.diagnostics[0]?.suggestion).toContain(given.suggestion);
});

test("inflections overrule the library", async () => {
  const service = `${SERVICE}inflections: { luggage: luggage, beef: beeves }\n`;
  const files = {
    "service.yaml": service,
    "resources/v1/luggage.yaml": resource("luggage", "luggage"),
    "resources/v1/frozenbeeves.yaml": resource("frozenbeeves", "frozenBeef"),
  };
  expect(codes(await checkProject(files))).toEqual([]);
});

test("mistakes of all files are found in one run, those of reading and those of meaning", async () => {
  const { diagnostics } = await checkProject({
    "service.yaml": "service: helpdesk\ntitel: Help desk\n",
    "resources/v1/orders.yaml": "resource: [orders\n",
    "resources/v1/tickets.yaml": resource("tickets", "Ticket"),
  });
  expect(diagnostics.map(({ span, code }) => `${span.file} ${code}`).sort()).toEqual([
    "resources/v1/orders.yaml SCH-1",
    "resources/v1/tickets.yaml IDN-2",
    "service.yaml SCH-7",
  ]);
});

test.each([
  ["http://", ["2:19 SCH-126"]],
  ["urn:", ["2:19 SCH-126"]],
  ["a b", ["2:19 SCH-126"]],
  ["urn:desk", []],
  ["https://example.com", []],
  ["/desk", []],
])("events that come from %s: %j", async (source, want) => {
  const files = {
    "service.yaml": `${SERVICE}events: { source: "${source}" }\n`,
    "resources/v1/books.yaml": resource("books", "book"),
  };
  expect(codes(await checkProject(files))).toEqual(want);
});

test.each(["actions", "aliases"])("of %s a resource has at most 50", async (key) => {
  const all = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, {}]));
  const { diagnostics } = await checkProject({
    "service.yaml": SERVICE,
    "resources/v1/books.yaml": resource("books", "book", `${key}: ${JSON.stringify(all)}\n`),
  });
  const messages = diagnostics.map(({ code, message }) => `${code} ${message}`);
  expect(messages).toContain(`SCH-6 "${key}" has 51 entries; the limit is 50 entries.`);
});

test("of a file that cannot be read nobody is told that its resource is not there", async () => {
  const { diagnostics } = await checkProject({
    "service.yaml": SERVICE,
    "resources/v1/orders.yaml": "resource: [orders\n",
    "resources/v1/tickets.yaml":
      'resource: tickets\nentity: ticket\nproperties: { order: { reference: "orders" }, user: { reference: users } }\n',
    "resources/v1/lines.yaml": resource("lines", "line", "parent: orders\n"),
    "resources/v1/openorders.yaml":
      "resource: openorders\nrepresents: orders\nproperties: { title: title }\n",
  });
  expect(diagnostics.map(({ span, code }) => `${span.file} ${code}`).sort()).toEqual([
    "resources/v1/orders.yaml SCH-1",
    "resources/v1/tickets.yaml SCH-36",
  ]);
});

test("what reading complained about is not said twice", async () => {
  const files = {
    "service.yaml": SERVICE,
    "resources/v1/tickets.yaml":
      "resource: tickets\nentity: ticket\nproperties:\n  size: { type: integer, maximum: 9007199254740993 }\n",
  };
  expect(codes(await checkProject(files))).toEqual(["4:35 SCH-34"]);
});

test("a nested type that has the name of another entity is a clash (a + bc, ab + c)", async () => {
  const nested = (name: string): string =>
    `properties: { ${name}: { type: object, properties: { city: string } } }\n`;
  const files = {
    "service.yaml": SERVICE,
    "resources/v1/boxes.yaml": `resource: boxes\nentity: box\n${nested("lidHandle")}`,
    "resources/v1/boxlids.yaml": `resource: boxlids\nentity: boxLid\n${nested("handle")}`,
  };
  expect(codes(await checkProject(files))).toEqual(["3:15 SCH-19"]);
});

test.each([
  "context: { enum: [a] }",
  "dto: { enum: [a] }",
  "updateDto: { type: object, properties: { size: integer } }",
])(
  "a nested type that would hide one of the runtime, or a DTO, is refused: %s",
  async (property) => {
    const text = `resource: services\nentity: service\nproperties: { ${property} }\n`;
    const files = { "service.yaml": SERVICE, "resources/v1/services.yaml": text };
    expect(codes(await checkProject(files))).toEqual(["3:15 SCH-122"]);
  },
);

test("thousands of mistakes in one file are told in bounded time", async () => {
  const values = Array.from({ length: 480 }, (_, index) => `Bad${index}`).join(", ");
  const properties = Array.from(
    { length: 60 },
    (_, index) => `  p${index}: { enum: [${values}] }\n`,
  );
  const text = `resource: tickets\nentity: ticket\nproperties:\n${properties.join("")}`;
  const before = process.cpuUsage().user;
  const { diagnostics } = await checkProject({
    "service.yaml": SERVICE,
    "resources/v1/tickets.yaml": text,
  });
  expect(format(diagnostics).length).toBeGreaterThan(1_000_000);
  expect(diagnostics.length).toBe(480 * 60);
  // Microseconds: it takes about one second, and a quadratic search for places would take minutes.
  expect(process.cpuUsage().user - before).toBeLessThan(10_000_000);
});

test("a validated project is given on with its values and versions", async () => {
  const checked = await checkProject({
    "service.yaml": SERVICE,
    "resources/v1/tickets.yaml": resource("tickets", "ticket"),
  });
  expect(checked).toMatchObject({
    ok: true,
    value: { service: { value: { service: "helpdesk" } }, resources: [{ version: "v1" }] },
  });
});

test.each([
  { name: "creates", entity: "create", advice: '"create" is a verb' },
  { name: "ordercreates", entity: "orderCreate", advice: '"create" is a verb' },
  { name: "approvetickets", entity: "approveTicket", advice: '"approve" is a verb' },
  { name: "actives", entity: "active", advice: '"active" is an adjective' },
  { name: "archiveds", entity: "archived", advice: '"archived" is an adjective' },
])("$name is accepted with a warning: $advice", async ({ name, entity, advice }) => {
  const files = {
    "service.yaml": SERVICE,
    "resources/v1/tickets.yaml": resource("tickets", "ticket"),
  };
  const path = `resources/v1/${name}.yaml`;
  const found = await checkProject({ ...files, [path]: resource(name, entity) });
  expect(found.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["NAM-1", "warning"],
  ]);
  expect(found.diagnostics[0]?.suggestion).toContain(advice);
  const exempt = "exempt: { NAM-1: what the trade says }\n";
  expect(codes(await checkProject({ ...files, [path]: resource(name, entity, exempt) }))).toEqual(
    [],
  );
});

test.each([
  { name: "searches", entity: "search" },
  { name: "updates", entity: "update" },
  { name: "newsfeeds", entity: "newsFeed" },
  { name: "deletionrequests", entity: "deletionRequest" },
  { name: "activeusers", entity: "activeUser" },
])("$name is a noun", async ({ name, entity }) => {
  const files = { "service.yaml": SERVICE, [`resources/v1/${name}.yaml`]: resource(name, entity) };
  expect(codes(await checkProject(files))).toEqual([]);
});

test("a name that must stay is exempt in its own file, and in no other", async () => {
  const exempt = "exempt: { NAM-1: what the trade says }\n";
  const files = {
    "service.yaml": SERVICE,
    "resources/v1/history.yaml": resource("history", "history", exempt),
    "resources/v1/luggage.yaml": resource("luggage", "luggage"),
  };
  expect(codes(await checkProject(files))).toEqual(["1:11 NAM-1"]);
});

test("no inflection is suggested for a resource and an entity that have nothing in common", async () => {
  const files = {
    "service.yaml": SERVICE,
    "resources/v1/smses.yaml": resource("smses", "message"),
  };
  const [found] = (await checkProject(files)).diagnostics;
  expect(found).toMatchObject({ code: "IDN-2", suggestion: 'Did you mean "sms"?' });
});

const AROUND_ACTIONS = `${SERVICE}authentication: { scheme: bearer, issuer: "https://login.example.com/", audience: desk, keys: keys.json }\n`;

test.each([
  { given: "input: { to: { reference: users, embed: [title] } }", want: [] },
  { given: "input: { to: { reference: userz } }", want: ["4:46 SCH-36"] },
  { given: "input: { to: { reference: users, embed: [name] } }", want: ["4:61 SCH-48"] },
  { given: "input: { to: { reference: users, onDelete: refuse } }", want: ["4:53 SCH-237"] },
  { given: "input: { to: { reference: users, listedUnder: true } }", want: ["4:53 SCH-237"] },
  { given: "input: { userId: uuid }", want: ["4:29 REP-4"] },
  { given: "answers: { userIds: { type: array, items: string } }", want: ["4:31 REP-4"] },
  { given: "answers: { taxId: string }", want: [] },
  {
    given: "answers: { to: { reference: secrets, embed: [title] } }",
    want: ["4:64 SCH-321"],
  },
  {
    given: 'answers: { to: { reference: secrets, embed: [title] } }, access: ["role:agent"]',
    want: [],
  },
  {
    given: "on: collection, answers: { to: { reference: secrets, embed: [title] } }",
    want: ["4:80 SCH-321"],
  },
  { given: "answers: { to: { reference: secrets } }", want: [] },
  { given: "answers: { to: { reference: secrets, embed: [title], disclose: true } }", want: [] },
])("an action with $given: $want", async ({ given, want }) => {
  const files = {
    "service.yaml": AROUND_ACTIONS,
    "resources/v1/tickets.yaml": resource("tickets", "ticket", `actions: { give: { ${given} } }\n`),
    "resources/v1/users.yaml": resource("users", "user"),
    "resources/v1/secrets.yaml": resource(
      "secrets",
      "secret",
      'access: { read: ["role:agent", owner] }\n',
    ),
  };
  const checked = await checkProject(files);
  expect(codes(checked)).toEqual(want);
  // A flat form was accepted where a reference could not be said.
  expect(checked.ok).toBe(want.every((code) => code.endsWith("REP-4")));
});

test("who may read an entity is told what an action on it embeds of others", async () => {
  const files = {
    "service.yaml": AROUND_ACTIONS,
    "resources/v1/tickets.yaml": resource(
      "tickets",
      "ticket",
      'access: { read: ["role:agent"] }\nactions: { give: { answers: { to: { reference: secrets, embed: [title] } } } }\n',
    ),
    "resources/v1/secrets.yaml": resource(
      "secrets",
      "secret",
      'access: { read: ["role:agent"] }\n',
    ),
  };
  expect(codes(await checkProject(files))).toEqual([]);
});
