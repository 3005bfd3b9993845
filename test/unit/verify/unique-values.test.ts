import { expect, test } from "vitest";
import type { ResourceModel } from "../../../src/model/resource-model.js";
import { UniqueValues } from "../../../src/verify/unique-values.js";
import { renderValid } from "../../support/render-files.js";

async function ticketsWith(code: string): Promise<ResourceModel> {
  const { model } = await renderValid({
    "service.yaml": "service: desk\n",
    "resources/v1/tickets.yaml": `resource: tickets\nentity: ticket\nproperties:\n  code: { ${code}, unique: true }\n`,
  });
  const [tickets] = model.versions.flatMap(({ resources }) => resources);
  if (tickets === undefined) throw new Error("there are no tickets");
  return tickets;
}

test.each([
  { code: 'type: string, pattern: "^[A-Z]{3}$", maxLength: 3', want: null },
  { code: 'type: string, pattern: "^[A-Z]{2}$", maxLength: 2', want: "code" },
  { code: 'type: string, pattern: "^[A-Z]$", maxLength: 1', want: "code" },
  { code: "enum: [red, blue]", want: "code" },
  { code: "type: integer, minimum: 1, maximum: 100", want: null },
  { code: "type: integer, minimum: 1, maximum: 50", want: "code" },
])("$code has few values: $want", async ({ code, want }) => {
  expect(new UniqueValues().scarceIn(await ticketsWith(code))).toBe(want);
});
