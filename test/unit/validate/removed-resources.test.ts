import { expect, test } from "vitest";
import { makeNextVersion } from "../../../src/commands/next-version.js";
import { publish } from "../../../src/commands/publish.js";
import { expectSuccess } from "../../support/expect-success.js";
import { codesOf, MemoryProject, told } from "../../support/memory-project.js";

// VER-2: a version has each resource of the version before it, or service.yaml says that it is removed.

const resource = (name: string, more = ""): string =>
  `resource: ${name}\nentity: ${name.slice(0, -1)}\n${more}properties: { title: string }\n`;
const SAME = (name: string): string => `resource: ${name}\nsameAs: v1\n`;

/** Tickets in both versions, and weights, which were added to v1 after v2 was begun. */
function desk(versions: string, files: Readonly<Record<string, string>> = {}): MemoryProject {
  return new MemoryProject({
    "service.yaml": `service: desk\nversions: { ${versions} }\n`,
    "resources/v1/tickets.yaml": resource("tickets"),
    "resources/v1/weights.yaml": resource("weights"),
    "resources/v2/tickets.yaml": SAME("tickets"),
    ...files,
  });
}

test("a draft that lacks a resource is refused, with ways on that work", async () => {
  const made = desk("v1: draft, v2: draft");
  const result = await made.generate();
  expect(codesOf(result)).toEqual(["SCH-275"]);
  const text = told(result).replace(/\s+/g, " ");
  expect(text).toContain("`generator version v2 weights`");
  expect(text).toContain("`v2: { status: draft, removed: { weights: why } }` below `versions`");
  expect(text).toContain("`renamedFrom: weights`");

  expectSuccess(await makeNextVersion(made.env, { version: "v2", resources: ["weights"] }));
  expect(codesOf(await made.generate())).toEqual([]);
  expect(made.has("src/generated/v2/weights/weights.controller.ts")).toBe(true);

  const removed = desk("v1: draft, v2: { status: draft, removed: { weights: why } }");
  expect(codesOf(await removed.generate())).toEqual([]);
  const renamed = desk("v1: draft, v2: draft", {
    "resources/v2/loads.yaml": resource("loads", "renamedFrom: weights\n").replace(
      "load\n",
      "weight\n",
    ),
  });
  expect(codesOf(await renamed.generate())).toEqual([]);
});

test("a published version that lacks a resource is warned of, and the command takes it over", async () => {
  const made = desk("v1: draft, v2: draft");
  made.remove("resources/v1/weights.yaml");
  expectSuccess(await made.generate());
  for (const version of ["v1", "v2"]) expectSuccess(await publish(made.env, version));
  made.write("resources/v1/weights.yaml", resource("weights"));
  const warned = await made.generate();
  expect(warned.ok).toBe(true);
  expect(codesOf(warned)).toEqual(["SCH-275"]);
  expectSuccess(await makeNextVersion(made.env, { version: "v2", resources: ["weights"] }));
  expect(codesOf(await made.generate())).toEqual([]);
});

test.each([
  { name: "a representation", file: "opentickets", text: "represents: tickets\n" },
  { name: "a retired version", file: "weights", text: null },
])("$name needs no word", async ({ file, text }) => {
  const versions = text === null ? "v1: retired, v2: draft" : "v1: draft, v2: draft";
  const made = desk(versions, {
    "resources/v2/tickets.yaml": text === null ? resource("tickets") : SAME("tickets"),
    ...(text !== null && {
      "resources/v2/weights.yaml": SAME("weights"),
      [`resources/v1/${file}.yaml`]: `resource: ${file}\n${text}properties: [title]\n`,
    }),
  });
  expect(codesOf(await made.generate())).toEqual([]);
});

test.each([
  { removed: "tickets: why", said: "Or remove resources/v2/tickets.yaml" },
  { removed: "weights: why, wieghts: why", said: 'Did you mean "weights"?' },
])("a word of removal that is wrong is refused: $removed", async ({ removed, said }) => {
  const made = desk(`v1: draft, v2: { status: draft, removed: { ${removed} } }`, {
    ...(removed.startsWith("tickets") && { "resources/v2/weights.yaml": SAME("weights") }),
  });
  const result = await made.generate();
  expect(codesOf(result)).toEqual(["SCH-276"]);
  expect(told(result).replace(/\s+/g, " ")).toContain(said);
});

test("a version that is retired names the paths that no later version has", async () => {
  const made = desk("v1: draft, v2: { status: draft, removed: { weights: why } }", {
    "resources/v2/tickets.yaml": resource("tickets"),
  });
  expectSuccess(await made.generate());
  for (const version of ["v1", "v2"]) expectSuccess(await publish(made.env, version));
  made.edit("service.yaml", "v1: published", "v1: retired");
  const { gonePaths } = expectSuccess(await made.generate());
  expect(gonePaths).toEqual(["/api/v1/weights"]);
  expect(expectSuccess(await made.generate()).gonePaths).toEqual([]);
});
