import { expect, test } from "vitest";
import { changes } from "../../src/commands/changes.js";
import { changesOf } from "../../src/commands/changes-report.js";
import { makeNextVersion } from "../../src/commands/next-version.js";
import { publish } from "../../src/commands/publish.js";
import { validate } from "../../src/commands/validate.js";
import { foldedJson } from "../../src/artifacts/json-text.js";
import { CHANGE_KINDS } from "../../src/contract/change-kinds.js";
import { CHANGE_FIXTURES, fixtureChanges, fixtureProject } from "../support/change-fixtures.js";
import { expectSuccess } from "../support/expect-success.js";
import { codesOf, MemoryProject, told } from "../support/memory-project.js";

const TICKETS = "resources/v1/tickets.yaml";
const CONTRACT = "contract/v1/tickets.json";

function project(): MemoryProject {
  return new MemoryProject({
    "service.yaml": "service: helpdesk\nversions:\n  v1: draft # for now\n",
    [TICKETS]:
      "resource: tickets\nentity: ticket\nproperties:\n  title: { type: string, required: true, maxLength: 80 }\n",
  });
}

async function published(): Promise<MemoryProject> {
  const made = project();
  const result = await publish(made.env, "v1");
  expect(told(result)).toBe("");
  return made;
}

test("publishing freezes what clients see, says so in service.yaml, and is done once", async () => {
  const made = await published();
  expect(made.read("service.yaml")).toBe(
    "service: helpdesk\nversions:\n  v1: published # for now\n",
  );
  expect(JSON.parse(made.read(CONTRACT))).toMatchObject({
    resource: "tickets",
    identifier: "ticketId",
    properties: { title: { type: "string", required: true, maxLength: 80 } },
  });
  expect(JSON.parse(made.read("contract/v1.json"))).toMatchObject({ version: "v1" });
  const before = made.tree();
  expect(await made.generate()).toMatchObject({ ok: true });
  expect(made.tree()).toEqual(before);
  await expect(publish(made.env, "v1")).rejects.toThrow("v1 is published already");
  await expect(publish(made.env, "v2")).rejects.toThrow('There is no version "v2"');
});

test("a breaking edit is refused with its place, whom it breaks, why and what to do; nothing is written", async () => {
  const made = await published();
  made.edit(TICKETS, "maxLength: 80", "maxLength: 40");
  const before = made.tree();
  for (const run of [
    made.generate(),
    made.generate({ force: true }),
    made.generate({ dryRun: true }),
  ]) {
    const result = await run;
    expect(result.ok).toBe(false);
    expect(told(result)).toBe(
      `resources/v1/tickets.yaml:4:42  error  VER-3
    4 |   title: { type: string, required: true, maxLength: 40 }
      |                                          ^^^^^^^^^
  This edit of tickets breaks writers, and v1 is published (maximum-length-lowered). maxLength of \`title\` is 40; it was 80. Writers: Values that were accepted are answered 400. Keep the bound here. All versions share the values: the next one can have a property of another name, or convert this one (\`converted\`). To make the next version, which takes the edit over (undo it in v1 then): generator version v2 tickets   generator explain VER-3
`,
    );
  }
  expect(codesOf(await validate(made.env))).toEqual(["VER-3"]);
  expect(made.tree()).toEqual(before);
  made.edit(TICKETS, "maxLength: 40", "maxLength: 80");
  expect(await made.generate()).toMatchObject({ ok: true });
});

test("whoever does what the message says, step after step, has the edit in the next version", async () => {
  const made = await published();
  made.edit(TICKETS, "  title: {", "  heading: { renamedFrom: title,");
  expect(told(await made.generate())).toContain(
    "To make the next version, which takes the edit over (undo it in v1 then): generator version v2 tickets",
  );
  const version = await makeNextVersion(made.env, { version: "v2", resources: ["tickets"] });
  expect(version.ok).toBe(true);
  expect(told(await made.generate())).toContain(
    "The next version is a draft already: v2, resources/v2/tickets.yaml (when the edit is there, undo it in v1)",
  );
  made.edit(TICKETS, "  heading: { renamedFrom: title,", "  title: {");
  expect(await made.generate()).toMatchObject({ ok: true });
});

test("where the next version is a copy by name only, the edit goes into a copy of the file", async () => {
  const made = await published();
  await makeNextVersion(made.env, { version: "v2", resources: [] });
  expect(await made.generate()).toMatchObject({ ok: true });
  made.edit(TICKETS, "  title: {", "  heading: { renamedFrom: title,");
  expect(told(await made.generate())).toContain(
    "v2, resources/v2/tickets.yaml, after generator version v2 tickets (when the edit is there, undo it in v1)",
  );
  made.write("resources/v2/tickets.yaml", made.read(TICKETS));
  made.edit(TICKETS, "  heading: { renamedFrom: title,", "  title: {");
  expect(await made.generate()).toMatchObject({ ok: true });
});

test("a draft may be changed in any way", async () => {
  const made = project();
  expect(await made.generate()).toMatchObject({ ok: true });
  made.edit(TICKETS, "maxLength: 80", "maxLength: 40");
  expect(await made.generate()).toMatchObject({ ok: true });
  expect(made.has(CONTRACT)).toBe(false);
});

test("a compatible edit extends the contract, and is promised from then on", async () => {
  const made = await published();
  made.edit(TICKETS, "maxLength: 80", "maxLength: 100");
  made.write(TICKETS, `${made.read(TICKETS)}  note: string\n`);
  expect(await made.generate()).toMatchObject({ ok: true });
  expect(JSON.parse(made.read(CONTRACT))).toMatchObject({
    properties: { title: { maxLength: 100 }, note: { addedLater: true } },
  });
  made.edit(TICKETS, "maxLength: 100", "maxLength: 80");
  expect(codesOf(await made.generate())).toEqual(["VER-3"]);
  made.edit(TICKETS, "maxLength: 80", "maxLength: 100");
  made.edit(TICKETS, "  note: string\n", "");
  expect(told(await made.generate())).toContain("property-removed");
});

test("a rate and a time-out are settings of operation: no edit of them breaks anybody", async () => {
  const made = await published();
  const service = made.read("service.yaml");
  for (const rate of [600, 60]) {
    const limits = `requestsPerMinute: ${rate}, requestSeconds: ${rate / 10}`;
    made.write("service.yaml", `${service}limits: { ${limits} }\n`);
    const revisions = { schemasAt: () => new Map(), promiseOf: () => null };
    const report = await changes(made.env, { version: null, since: null }, revisions);
    const found = expectSuccess(report).versions.flatMap((version) => changesOf(version));
    expect(found.map((change) => change.class)).toEqual(["operational", "operational"]);
    expect(told(await made.generate())).toBe("");
  }
  made.write("service.yaml", `${service}limits: { bodyBytes: 2000 }\n`);
  expect(told(await made.generate())).toContain("limit-lowered");
});

test("a new resource is promised with its first run, whole", async () => {
  const made = await published();
  made.write(
    "resources/v1/users.yaml",
    "resource: users\nentity: user\nproperties: { name: string }\n",
  );
  expect(await made.generate()).toMatchObject({ ok: true });
  expect(JSON.parse(made.read("contract/v1/users.json"))).toMatchObject({
    properties: { name: { type: "string" } },
  });
  expect(made.read("contract/v1/users.json")).not.toContain("addedLater");
  expect(made.read("src/generated/v1/users/users.validator.ts")).not.toContain("addedLater");
});

test("a contract that was edited by hand is a conflict, and --force does not help", async () => {
  const made = await published();
  made.edit(CONTRACT, '"maxLength": 80', '"maxLength": 40');
  made.edit(TICKETS, "maxLength: 80", "maxLength: 40");
  for (const force of [false, true]) {
    const result = await made.generate({ force });
    expect(codesOf(result)).toEqual(["SCH-155"]);
  }
  expect(made.read(CONTRACT)).toContain('"maxLength": 40');
});

test("what is not a contract is told", async () => {
  const made = await published();
  for (const text of ["<<<<<<< HEAD\n", "{}", '{ "resource": "users" }', "[1]"]) {
    made.write(CONTRACT, text);
    expect(codesOf(await made.generate())).toEqual(["SCH-154"]);
  }
});

test("a published version without its contract is refused with the command that makes it", async () => {
  const made = project();
  made.edit("service.yaml", "draft", "published");
  const result = await made.generate();
  expect(told(result)).toContain("service.yaml:3:3  error  VER-4");
  expect(told(result)).toContain("Run `generator publish v1`.");
  expect(told(await publish(made.env, "v1"))).toBe("");
  expect(await made.generate()).toMatchObject({ ok: true });
  made.remove("contract/v1.json");
  expect(codesOf(await made.generate())).toEqual(["VER-4"]);
});

test("a published version is never a draft again, and never forgotten", async () => {
  const made = await published();
  made.edit("service.yaml", "v1: published", "v1: draft");
  expect(codesOf(await made.generate())).toEqual(["SCH-157"]);
  const other = await published();
  other.write("contract/v3.json", other.read("contract/v1.json"));
  expect(codesOf(await other.generate())).toEqual(["SCH-158"]);
});

test("two branches that both extend a contract merge: either side's file leads to both", async () => {
  const made = await published();
  const [ours, theirs] = [await published(), await published()];
  ours.write(TICKETS, `${ours.read(TICKETS)}  note: string\n`);
  theirs.write(TICKETS, `${theirs.read(TICKETS)}  rank: integer\n`);
  for (const side of [ours, theirs]) expect(await side.generate()).toMatchObject({ ok: true });
  made.write(TICKETS, `${made.read(TICKETS)}  note: string\n  rank: integer\n`);
  const locks = [ours, theirs].map((side) => side.read("generator.lock").split("\n"));
  made.write("generator.lock", [...new Set(locks.flat())].join("\n"));
  for (const side of [ours, theirs]) {
    made.write(CONTRACT, side.read(CONTRACT));
    const { ok } = await made.generate({ force: true, dryRun: true });
    expect(ok).toBe(true);
  }
});

const BREAKING = CHANGE_FIXTURES.filter((kind) => {
  const { readers, writers } = CHANGE_KINDS[kind as keyof typeof CHANGE_KINDS];
  return readers !== undefined || writers !== undefined;
});

/** Both versions are served: what the next one warns of. */
const OF_THE_NEXT: Readonly<Record<string, readonly string[]>> = {
  // Rows that exist are converted.
  "property-converted": [],
  "shown-state-allows-less": ["SCH-340"],
  // Of a draft, nothing is promised.
  "shown-value-changed": [],
};

test.each(CHANGE_FIXTURES)("publish, edit, generate: %s", async (kind) => {
  const before = fixtureProject(kind, "before");
  const made = new MemoryProject(before);
  expect(told(await publish(made.env, "v1"))).toBe("");
  const after = fixtureProject(kind, "after");
  for (const path of Object.keys(before)) if (!(path in after)) made.remove(path);
  for (const [path, text] of Object.entries(after)) {
    made.write(path, path === "service.yaml" ? text.replace("v1: draft", "v1: published") : text);
  }
  const result = await made.generate();
  const breaks = (await fixtureChanges(kind)).filter((change) => change.class === "breaking");
  const warnings = OF_THE_NEXT[kind];
  if (warnings !== undefined) {
    expect(result.ok).toBe(true);
    expect(codesOf(result)).toEqual(warnings);
    return;
  }
  expect(result.ok).toBe(!BREAKING.includes(kind));
  expect(codesOf(result)).toEqual(breaks.map(() => "VER-3"));
  // What is accepted is a part of the promise, and is accepted again.
  if (result.ok) expect(await made.generate()).toMatchObject({ ok: true });
});

test("what the version before shows instead of a value stays, once both are published", async () => {
  const made = new MemoryProject(fixtureProject("shown-value-changed", "before"));
  expect(told(await publish(made.env, "v1"))).toBe("");
  expect(told(await publish(made.env, "v2"))).toBe("");
  made.edit("resources/v2/tickets.yaml", "extreme: high", "extreme: low");
  expect(codesOf(await made.generate())).toEqual(["VER-3"]);
  made.edit("resources/v2/tickets.yaml", "extreme: low", "extreme: high");
  expect(await made.generate()).toMatchObject({ ok: true });
});

test("a child that is new and that fewer may delete breaks those who delete its parent", async () => {
  const before = fixtureProject("deletion-narrowed", "after");
  const { "resources/v1/marks.yaml": marks = "", ...others } = before;
  const made = new MemoryProject(others);
  expect(told(await publish(made.env, "v1"))).toBe("");
  made.write("resources/v1/marks.yaml", marks);
  expect(told(await made.generate())).toContain("breaks writers");
  made.write("resources/v1/marks.yaml", marks.replace('"role:admin"', "parent"));
  expect(await made.generate()).toMatchObject({ ok: true });
});

const SECURED = {
  "service.yaml":
    "service: helpdesk\nversions: { v1: draft }\nauthentication: { scheme: bearer, issuer: https://a.example.com/, audience: desk, keys: keys.json }\n",
};

function child(plural: string, access: string): string {
  const entity = plural.slice(0, -1);
  return `resource: ${plural}\nentity: ${entity}\nparent: tickets\naccess: ${access}\nproperties: { text: string }\n`;
}

function parent(access: string): string {
  return `resource: tickets\nentity: ticket\naccess: ${access}\nproperties: { title: string }\n`;
}

test.each([
  {
    what: "another owner is asked for",
    before: ["{ delete: [authenticated] }", "{ delete: [owner] }", null],
    after: ["{ delete: [authenticated] }", "{ delete: [owner] }", "{ delete: [owner] }"],
    isBreaking: true,
  },
  {
    what: "the parent is opened to more",
    before: ['{ delete: ["role:admin"] }', '{ delete: ["role:admin"] }', null],
    after: ["{ delete: [authenticated] }", '{ delete: ["role:admin"] }', null],
    isBreaking: false,
  },
  {
    what: "a role less is enough for the child",
    before: ["{ delete: [authenticated] }", '{ delete: ["role:a", "role:b"] }', null],
    after: ["{ delete: [authenticated] }", '{ delete: ["role:a"] }', null],
    isBreaking: true,
  },
])("deletions where $what", async ({ before, after, isBreaking }) => {
  const files = ([own, one, other]: readonly (string | null)[]): Record<string, string> => ({
    ...SECURED,
    "resources/v1/tickets.yaml": parent(own ?? ""),
    "resources/v1/comments.yaml": child("comments", one ?? ""),
    ...(other !== null &&
      other !== undefined && { "resources/v1/notes.yaml": child("notes", other) }),
  });
  const made = new MemoryProject(files(before));
  expect(told(await publish(made.env, "v1"))).toBe("");
  for (const [path, text] of Object.entries(files(after))) {
    if (path !== "service.yaml") made.write(path, text);
  }
  const found = told(await made.generate());
  expect(found.includes("(deletion-narrowed)")).toBe(isBreaking);
});

test("what a retired version showed is nobody's concern", async () => {
  const made = new MemoryProject(fixtureProject("shown-value-changed", "before"));
  for (const version of ["v1", "v2"]) expect(told(await publish(made.env, version))).toBe("");
  made.edit("service.yaml", "v1: published", "v1: retired");
  expect(await made.generate()).toMatchObject({ ok: true });
  made.edit("resources/v2/tickets.yaml", "extreme: high", "extreme: low");
  expect(told(await made.generate())).not.toContain("VER-3");
});

test("what nobody sends is bounded without breaking writers", async () => {
  const list = "tags: { type: array, readOnly: true, items: { type: string, maxLength: 50 } }";
  const made = new MemoryProject({
    "service.yaml": "service: helpdesk\nversions: { v1: draft }\n",
    [TICKETS]: `resource: tickets\nentity: ticket\nproperties:\n  title: string\n  ${list}\n`,
  });
  expect(told(await publish(made.env, "v1"))).toBe("");
  made.edit(TICKETS, "maxLength: 50", "maxLength: 20");
  expect(codesOf(await made.generate())).not.toContain("VER-3");
});

test("a frozen contract that is gone is missed, whatever becomes of its resource", async () => {
  const made = await published();
  const lock = made.read("generator.lock");
  made.write("resources/v1/notes.yaml", made.read(TICKETS).replaceAll("ticket", "note"));
  expect(await made.generate()).toMatchObject({ ok: true });
  made.remove("contract/v1/notes.json");
  expect(told(await made.generate())).toContain("contract/v1/notes.json");
  expect(codesOf(await made.generate({ force: true }))).toEqual(["VER-4"]);
  made.remove("resources/v1/notes.yaml");
  expect(codesOf(await made.generate())).toEqual(["VER-4"]);
  // As it was before the resource was there.
  made.write("generator.lock", lock);
  expect(codesOf(await made.generate())).not.toContain("VER-4");
});

test("a frozen contract of another format is refused with the way out", async () => {
  const made = await published();
  const path = "contract/v1.json";
  const { format: _, ...other } = JSON.parse(made.read(path)) as { readonly format: number };
  made.write(path, foldedJson(other));
  expect(codesOf(await made.generate())).toEqual(["SCH-154"]);
  expect(told(await made.generate())).toContain("generator publish v1");
  for (const one of [path, CONTRACT]) made.remove(one);
  expect(told(await publish(made.env, "v1"))).toBe("");
  expect(await made.generate()).toMatchObject({ ok: true });
});
