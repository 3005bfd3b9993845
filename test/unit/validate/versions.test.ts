import { expect, test } from "vitest";
import { makeNextVersion } from "../../../src/commands/next-version.js";
import { expectSuccess } from "../../support/expect-success.js";
import { codesOf, MemoryProject } from "../../support/memory-project.js";

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
