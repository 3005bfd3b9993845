import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { renderValid } from "../support/render-files.js";

/** Names of letters alone: digits would be parts of versions. */
function nameOf(index: number): string {
  const letters = [...index.toString(26)].map(
    (digit) => "abcdefghijklmnopqrstuvwxyz"[parseInt(digit, 26)],
  );
  return `part${letters.join("")}x`;
}

function resource(index: number): string {
  const name = nameOf(index);
  const before = index === 0 ? "" : `  before: { reference: ${nameOf(index - 1)}s }\n`;
  return `resource: ${name}s\nentity: ${name}\nevents: [created, deleted]\nproperties:\n  title: string\n${before}`;
}

test("a thousand resources with events and references compile", async () => {
  const schemas = Array.from({ length: 1000 }, (_, index) => [
    `resources/v1/${nameOf(index)}s.yaml`,
    resource(index),
  ]);
  const project = await renderValid({
    "service.yaml": "service: catalogue\n",
    ...(Object.fromEntries(schemas) as Record<string, string>),
  });
  expect(await compilerErrors("many", { many: await wholeService(project) })).toBe("");
});
