import { expect, test } from "vitest";
import { makeNextVersion } from "../../../src/commands/next-version.js";
import { publish } from "../../../src/commands/publish.js";
import { MemoryProject, told } from "../../support/memory-project.js";

const TICKETS = "resources/v1/tickets.yaml";
const BOXES = "resource: boxes\nentity: box\nproperties:\n  ticket: { reference: tickets }\n";

test("resources are told as the version calls them that their names are for", async () => {
  const tickets = "resource: tickets\nentity: ticket\nproperties:\n  title: string\n";
  const made = new MemoryProject({
    "service.yaml": "service: helpdesk\nversions: { v1: draft }\n",
    [TICKETS]: tickets,
    "resources/v1/boxes.yaml": BOXES,
  });
  await publish(made.env, "v1");
  const requests = tickets
    .replace("tickets", "requests")
    .replace("entity: ticket", "entity: request");
  made.remove(TICKETS);
  made.write("resources/v1/requests.yaml", requests);
  made.write("resources/v1/boxes.yaml", BOXES.replace("reference: tickets", "reference: requests"));
  expect(told(await made.generate())).toContain(
    "(undo it in v1 then): generator version v2 boxes requests ",
  );
  const given = { version: "v2", resources: ["boxes", "requests"] };
  const version = await makeNextVersion(made.env, given);
  expect(version.ok && version.value.broken).toEqual([
    "resources/v1/boxes.yaml",
    "resources/v1/tickets.yaml",
  ]);
  made.remove("resources/v1/requests.yaml");
  made.write(TICKETS, tickets);
  made.write("resources/v1/boxes.yaml", BOXES);
  // In the draft it has another name.
  made.write(
    "resources/v2/requests.yaml",
    `${tickets.replace("tickets", "requests")}renamedFrom: tickets\n`,
  );
  expect(await made.generate()).toMatchObject({ ok: true });
  made.write(TICKETS, `${tickets}operations: [read]\n`);
  expect(told(await made.generate())).toContain(
    "The next version is a draft already: v2, resources/v2/requests.yaml (when the edit is there, undo it in v1)",
  );
});

test("a reference that the next version renames holds a deletion under the name that a version knows", async () => {
  const tickets = "resource: tickets\nentity: ticket\nproperties:\n  title: string\n";
  const lines = (list: string, more = ""): string =>
    `resource: boxes\nentity: box\nproperties:\n  ${list}:\n    type: array\n${more}` +
    "    items: { type: object, properties: { ticket: { reference: tickets, filterable: true } } }\n";
  const made = new MemoryProject({
    "service.yaml": "service: helpdesk\nversions: { v1: draft }\n",
    [TICKETS]: tickets,
    "resources/v1/boxes.yaml": lines("lines"),
  });
  await made.generate();
  await publish(made.env, "v1");
  await makeNextVersion(made.env, { version: "v2", resources: ["boxes"] });
  made.write("resources/v2/boxes.yaml", lines("rows", "    renamedFrom: lines\n"));
  expect(told(await made.generate())).toBe("");
});
