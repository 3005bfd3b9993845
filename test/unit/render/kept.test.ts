import { expect, test } from "vitest";
import { expectSuccess } from "../../support/expect-success.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { readModel } from "../../../src/commands/read-model.js";
import type { ServiceModel } from "../../../src/model/service-model.js";
import type { OutputFile } from "../../../src/render/output-file.js";
import { render } from "../../../src/render/render.js";

const TICKETS =
  "resource: tickets\nentity: ticket\nproperties:\n  title: { type: string, maxLength: 100 }\n";
const OTHERS = "resource: others\nentity: other\nproperties:\n  name: string\n";

const SCHEMAS = {
  "/service.yaml": "service: desk\n",
  "/resources/v1/tickets.yaml": TICKETS,
  "/resources/v1/others.yaml": OTHERS,
};

async function modelOf(edits: Readonly<Record<string, string>>): Promise<ServiceModel> {
  const files = new MemoryFiles({ ...SCHEMAS, ...edits });
  return expectSuccess(await readModel(files, "/")).model;
}

/** The files that are rendered after an edit, while all others stand as the run before left them. */
async function renderedAfter(edits: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const before = new Map((await render(await modelOf({}))).map((file) => [file.path, file]));
  const made = (path: string) => before.get(path)?.made ?? null;
  const piece = (path: string, key: string): string | null => {
    const cut = made(path)?.cuts?.find(([of]) => of === key);
    return cut === undefined ? null : (before.get(path)?.text?.slice(cut[1], cut[2]) ?? null);
  };
  const model = await modelOf(edits);
  const [again, whole] = [await render(model, { made, piece }), await render(model)];
  expect(again.map((file) => textOf(file, before))).toEqual(whole.map(({ text }) => text));
  return again.flatMap(({ path, text }) => (text === null ? [] : [path]));
}

function textOf({ path, text }: OutputFile, before: ReadonlyMap<string, OutputFile>) {
  return text ?? before.get(path)?.text;
}

test("nothing is rendered again of what is made of the same", async () => {
  expect(await renderedAfter({})).toEqual([]);
});

test.each([
  {
    edit: "a bound of a property",
    edits: { "/resources/v1/tickets.yaml": TICKETS.replace("100", "200") },
    spared: ["src/generated/services.ts", "src/generated/settings.ts", /others/],
    made: ["openapi/v1.json", "docs/resources.md", /tickets\.validator\.ts/],
  },
  {
    edit: "the title of the service",
    edits: { "/service.yaml": "service: desk\ntitle: Help\n" },
    spared: ["src/generated/services.ts", /tickets/, /others/],
    made: ["openapi/v1.json", "docs/resources.md", "src/generated/settings.ts"],
  },
  {
    edit: "a property more",
    edits: { "/resources/v1/tickets.yaml": `${TICKETS}  open: boolean\n` },
    spared: ["src/generated/services.ts", "src/generated/settings.ts", /others/],
    made: ["openapi/v1.json"],
  },
])("$edit leaves alone what does not read it", async ({ edits, spared, made }) => {
  const paths = await renderedAfter(edits);
  const matches = (wanted: string | RegExp): readonly string[] =>
    paths.filter((path) => (typeof wanted === "string" ? path === wanted : wanted.test(path)));
  expect(spared.flatMap(matches)).toEqual([]);
  expect(made.filter((wanted) => matches(wanted).length === 0)).toEqual([]);
});
