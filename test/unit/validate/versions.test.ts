import { expect, test } from "vitest";
import { changes } from "../../../src/commands/changes.js";
import { makeNextVersion } from "../../../src/commands/next-version.js";
import { publish } from "../../../src/commands/publish.js";
import { expectSuccess } from "../../support/expect-success.js";
import { codesOf, MemoryProject, told } from "../../support/memory-project.js";

/** A file of tickets with these properties. */
function tickets(properties: string): string {
  return `resource: tickets\nentity: ticket\nproperties:\n${properties}`;
}

function project(versions: string, files: Readonly<Record<string, string>>): MemoryProject {
  const resources = Object.entries(files).map(([version, text]) => [
    `resources/${version}/tickets.yaml`,
    text,
  ]);
  return new MemoryProject({
    "service.yaml": `service: helpdesk\nversions: { ${versions} }\n`,
    ...(Object.fromEntries(resources) as Record<string, string>),
  });
}

const MINUTES = tickets("  minutes: integer\n");
const HOUR = tickets("  hour: { type: integer, converted: true }\n");

test("a copy of what was converted is converted no second time", async () => {
  const made = project("v1: draft, v2: draft", { v1: MINUTES, v2: HOUR });
  expectSuccess(await makeNextVersion(made.env, { version: "v3", resources: ["tickets"] }));
  expect(made.read("resources/v3/tickets.yaml")).toContain("converted: true");
  expect(codesOf(await made.generate())).toEqual([]);
  expect(made.has("src/custom/conversions/tickets-v1-to-v2.ts")).toBe(true);
  expect(made.has("src/custom/conversions/tickets-v2-to-v3.ts")).toBe(false);
});

test("what a version says of a retired one stays right when the files of that one are gone", async () => {
  const made = project("v1: retired, v2: draft", { v2: HOUR });
  expect(codesOf(await made.generate())).toEqual([]);
  const served = project("v1: draft, v2: draft", { v2: HOUR });
  expect(codesOf(await served.generate())).toEqual(["SCH-183"]);
});

test("a representation of what was renamed is told the new name, and how to go on", async () => {
  const version = (name: string): string => `resources/${name}/opentickets.yaml`;
  const made = new MemoryProject({
    "service.yaml": "service: helpdesk\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/tickets.yaml": tickets("  recipient: string\n  title: string\n"),
    "resources/v2/tickets.yaml": tickets(
      "  addressee: { type: string, renamedFrom: recipient }\n  title: string\n",
    ),
    [version("v1")]: "resource: opentickets\nrepresents: tickets\nproperties: [recipient]\n",
    [version("v2")]: "resource: opentickets\nsameAs: v1\n",
  });
  expect(told(await made.generate())).toContain(
    "write `recipient: addressee` in a copy of v1's file instead of `sameAs`",
  );
  const shown = "properties: { recipient: addressee }";
  made.write(version("v2"), `resource: opentickets\nrepresents: tickets\n${shown}\n`);
  expect(codesOf(await made.generate())).toEqual([]);
});

test("what is searched for is converted: each version searches its own form", async () => {
  const made = project("v1: draft, v2: draft", {
    v1: tickets("  company: { type: string, filterable: true, sortable: true }\n"),
    v2: tickets("  firm: { type: string, filterable: true, converted: true }\n"),
  });
  expect(codesOf(await made.generate())).toEqual([]);
});

test("what is converted stays unique in its older form, and the newer document says so", async () => {
  const made = project("v1: draft, v2: draft", {
    v1: tickets("  number: { type: string, maxLength: 20, unique: true }\n"),
    v2: tickets(
      "  row: { type: integer, converted: true }\n  seat: { type: integer, unique: true, converted: true }\n",
    ),
  });
  expect(codesOf(await made.generate())).toEqual([]);
  const { paths } = JSON.parse(made.read("openapi/v2.json") ?? "") as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  expect(paths["/tickets/{ticketId}"]?.["patch"]?.responses).toHaveProperty("409");
});

test("a state that is converted is never null in either form", async () => {
  const states = (name: string): string =>
    `states: { property: ${name}, initial: open, transitions: { open: [done], done: [] } }\n`;
  const made = project("v1: draft, v2: draft", {
    v1: tickets("  status: { enum: [open, done] }\n") + states("status"),
    v2: tickets("  state: { enum: [open, done], converted: true }\n") + states("state"),
  });
  expect(codesOf(await made.generate())).toEqual([]);
  const entity = made.read("src/generated/entities/tickets/tickets.entity.ts");
  expect(entity).toContain("readonly status: TicketStatus;");
  expect(entity).toContain("  state: TicketState;");
});

test("the name of what was converted is not used again while its version is served", async () => {
  const made = project("v1: draft, v2: draft, v3: draft", {
    v1: tickets("  width: integer\n"),
    v2: tickets("  height: { type: integer, converted: true }\n"),
    v3: tickets("  height: integer\n  width: string\n"),
  });
  expect(codesOf(await made.generate())).toEqual(["SCH-178"]);
});

/** A file of tickets with an object of these properties, and a list of such. */
function inside(properties: string): string {
  const object = `{ type: object, properties: { ${properties} } }`;
  return tickets(`  title: string\n  box: ${object}\n  boxes: { type: array, items: ${object} }\n`);
}

test.each([
  { name: "converted", v1: "w: integer", v2: "h: { type: integer, converted: true }", codes: [] },
  {
    name: "made of nothing",
    v1: "w: integer",
    v2: "w: integer, h: { type: integer, converted: true }",
    codes: ["SCH-183", "SCH-183"],
  },
  {
    name: "a reference",
    v1: "w: { reference: tickets }",
    v2: "h: { type: integer, converted: true }",
    codes: ["SCH-310", "SCH-310"],
  },
])("what stands in an object and is $name is told as above", async ({ v1, v2, codes }) => {
  const made = project("v1: draft, v2: draft", { v1: inside(v1), v2: inside(v2) });
  expect(codesOf(await made.generate())).toEqual(codes);
});

test("what own code has made inside of an object is not converted once more", async () => {
  const made = project("v1: draft, v2: draft, v3: draft", {
    v1: inside("w: integer"),
    v2: inside("h: { type: integer, converted: true }"),
    v3: inside("d: { type: integer, converted: true }"),
  });
  expect(codesOf(await made.generate())).toEqual(["SCH-186", "SCH-186"]);
  const first = project("v1: draft", { v1: inside("h: { type: integer, converted: true }") });
  expect(codesOf(await first.generate())).toEqual(["SCH-183", "SCH-183"]);
});

/** Tickets that are handed to a user, whom the newest version calls a person. */
function handing(actions: readonly (string | null)[], versions: string): MemoryProject {
  const made = project(versions, {});
  const own = "properties: { name: string, phone: string }\n";
  actions.forEach((given, index) => {
    const folder = `resources/v${index + 1}`;
    const isNewest = index + 1 === actions.length;
    const users = isNewest ? "resource: persons\nrenamedFrom: users\n" : "resource: users\n";
    made.write(`${folder}/${isNewest ? "persons" : "users"}.yaml`, `${users}entity: user\n${own}`);
    made.write(`${folder}/teams.yaml`, `resource: teams\nentity: team\n${own}`);
    const action = given === null ? "" : `actions: { hand: { input: { to: ${given} } } }\n`;
    made.write(`${folder}/tickets.yaml`, `${tickets("  title: string\n")}${action}`);
  });
  return made;
}

const TO_USERS = "{ reference: users }";
const TO_PERSONS = "{ reference: persons }";
const TO_TEAMS = "{ reference: teams }";
const ALL_DRAFTS = "v1: draft, v2: draft, v3: draft";

test.each([
  { name: "where it led", given: [TO_USERS, TO_PERSONS], codes: [] },
  {
    name: "where it led, with more embedded",
    given: [TO_USERS, "{ reference: persons, embed: [name] }"],
    codes: [],
  },
  { name: "elsewhere", given: [TO_USERS, TO_TEAMS], codes: ["SCH-322"] },
  {
    name: "elsewhere after a version without the action",
    given: [TO_USERS, null, TO_TEAMS],
    codes: ["SCH-322"],
  },
  {
    name: "elsewhere after a version that is retired",
    given: [TO_USERS, TO_USERS, TO_TEAMS],
    versions: "v1: draft, v2: retired, v3: draft",
    codes: ["SCH-322"],
  },
  {
    name: "to what another service keeps under another identifier",
    given: [
      "{ reference: lines, external: true }",
      "{ reference: lines, external: true, entity: route }",
    ],
    codes: ["SCH-322"],
  },
])("an action that refers $name", async ({ given, versions = ALL_DRAFTS, codes }) => {
  const named = versions.split(", ").slice(0, given.length).join(", ");
  expect(codesOf(await handing(given, named).generate())).toEqual(codes);
});

test("what an action embeds of what is converted is stored, under another name of its holder, too", async () => {
  const made = handing(["{ reference: users, embed: [phone] }", null], "v1: draft, v2: draft");
  const persons = "resource: persons\nrenamedFrom: users\nentity: user\n";
  const line = "properties: { name: string, line: { type: string, converted: true } }\n";
  made.write("resources/v2/persons.yaml", `${persons}${line}`);
  expect(codesOf(await made.generate())).toEqual([]);
});

/** Tickets that refer to users in each version, the way its text says. */
function referring(versions: string, given: readonly string[]): MemoryProject {
  const made = project(versions, {});
  given.forEach((onDelete, index) => {
    const folder = `resources/v${index + 1}`;
    made.write(
      `${folder}/users.yaml`,
      "resource: users\nentity: user\nproperties: { name: string }\n",
    );
    made.write(`${folder}/tickets.yaml`, tickets(`  requester: { reference: users${onDelete} }\n`));
  });
  return made;
}

const SET_NULL = ", onDelete: setNull";

test.each([
  { name: "one that is served", versions: "v1: draft, v2: draft", codes: ["SCH-274"] },
  { name: "one that is retired", versions: "v1: retired, v2: draft", codes: [] },
])("a newer version refuses no deletion that $name allows", async ({ versions, codes }) => {
  expect(codesOf(await referring(versions, [SET_NULL, ""]).generate())).toEqual(codes);
  expect(codesOf(await referring(versions, [SET_NULL, SET_NULL]).generate())).toEqual([]);
});

test("a newer version that allows a deletion allows it in the older one, whose report and contract say so", async () => {
  const made = referring("v1: draft, v2: draft", ["", ""]);
  expect(expectSuccess(await publish(made.env, "v1"))).toBeDefined();
  made.edit("resources/v2/tickets.yaml", "reference: users", `reference: users${SET_NULL}`);
  const revisions = { schemasAt: () => new Map(), promiseOf: () => null };
  const asked = { version: "v1", since: null };
  const [v1] = expectSuccess(await changes(made.env, asked, revisions)).versions;
  expect(v1?.resources.flatMap((one) => one.changes)).toMatchObject([
    { kind: "on-delete-allowed", class: "compatible", path: "requester" },
  ]);
  expect(codesOf(await made.generate())).toEqual([]);
  expect(made.read("contract/v1/tickets.json")).toContain('"onDelete": "setNull"');
});
