import { expect, test } from "vitest";
import { exampleFiles, exampleNames } from "../../src/commands/example-files.js";
import { emittedTexts, renderValid, type Texts } from "../support/render-files.js";
import { GOLDEN_CASES, goldenTexts } from "./golden-cases.js";

/** `v1`, wherever it stands between other characters than letters and digits. */
const VERSION = /(?<![A-Za-z0-9]|runtime\/generated\/)v\d+(?![A-Za-z0-9])/;

test.each(GOLDEN_CASES)("no file of %s that outlives a version names one", async (name) => {
  expect(versioned(await goldenTexts(name))).toEqual([]);
});

test.each(exampleNames())(
  "no file of the example %s that outlives a version names one",
  async (name) => {
    const own = exampleFiles(name, name).map(({ path, text }) => [path, text ?? ""] as const);
    const schemas = own.filter(([path]) => path.endsWith(".yaml"));
    const emitted = emittedTexts(await renderValid(Object.fromEntries(schemas)));
    expect(versioned({ ...emitted, ...Object.fromEntries(own) })).toEqual([]);
  },
);

test("a version in a path or a text of such a file is found, and nowhere else", () => {
  const texts = {
    "src/custom/orders.ts":
      'import type { A } from "../generated/v1/orders/orders.controller.js";\n',
    "src/custom/users.ts": 'import type { A } from "../generated/entities/users/v1users.js";\n',
    "src/generated/entities/v2/a.ts": "\n",
    "src/generated/v1/orders/orders.controller.ts": "// v1\n",
  };
  expect(versioned(texts)).toEqual(["src/custom/orders.ts", "src/generated/entities/v2/a.ts"]);
});

test("the registry does not grow with what a resource offers", async () => {
  const rest = "aliases: { titled: { where: { title: a } } }\n";
  // It names the part of the runtime that a service with a POST needs, once.
  const registries = ["operations: [create]\n", "operations: [list, create, read, update]\n", rest];
  const texts = await Promise.all(registries.map(registryOf));
  expect(new Set(texts).size).toBe(1);
});

async function registryOf(more: string): Promise<string | undefined> {
  const tickets = "resource: tickets\nentity: ticket\nproperties: { title: string }\n";
  const project = await renderValid({
    "service.yaml": "service: helpdesk\n",
    "resources/v1/tickets.yaml": tickets + more,
  });
  return emittedTexts(project)["src/generated/app.ts"];
}

/** The files that have to stay as they are when a version comes or goes, and name one. */
function versioned(texts: Texts): string[] {
  return Object.entries(texts)
    .filter(([path]) => /^src\/(?:custom|generated\/entities\/)/.test(path))
    .filter(([path, text]) => VERSION.test(path) || VERSION.test(text))
    .map(([path]) => path);
}
