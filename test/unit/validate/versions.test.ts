import { expect, test } from "vitest";
import { makeNextVersion } from "../../../src/commands/next-version.js";
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

test("what is searched for is split as the messages say: kept, beside properties that are new", async () => {
  const company = "  company: { type: string, filterable: true }\n";
  const made = project("v1: draft, v2: draft", {
    v1: tickets(company),
    v2: tickets("  firm: { type: string, converted: true }\n"),
  });
  expect(codesOf(await made.generate())).toEqual(["SCH-185"]);
  made.write(
    "resources/v2/tickets.yaml",
    tickets(`${company}  firm: { type: string, converted: true }\n`),
  );
  expect(told(await made.generate())).toContain("Take `converted` away: it is a new property");
  made.write("resources/v2/tickets.yaml", tickets(`${company}  firm: string\n`));
  expect(codesOf(await made.generate())).toEqual([]);
});
