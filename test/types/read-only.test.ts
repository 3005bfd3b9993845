import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { renderValid } from "../support/render-files.js";

const DEPOTS = `resource: depots
entity: depot
properties: { name: { type: string, required: true } }
`;

const LOANS = `resource: loans
entity: loan
properties:
  days: integer
  returnedTo: { reference: depots, readOnly: true, onDelete: setNull }
  delivery: { type: object, properties: { depot: { reference: depots, readOnly: true }, note: string } }
  visits: { type: array, readOnly: true, items: { reference: depots } }
  stops: { type: array, readOnly: true, items: { type: object, properties: { depot: { reference: depots, embed: [name] } } } }
  summary: { type: object, readOnly: true, properties: { size: integer, note: { type: object, properties: { text: string } } } }
`;

test("what is read only compiles: references, and objects that no body holds", async () => {
  const service = await renderValid({
    "service.yaml": "service: depots\n",
    "resources/v1/depots.yaml": DEPOTS,
    "resources/v1/loans.yaml": LOANS,
  });
  const files = await wholeService(service);
  expect(await compilerErrors("read-only", { service: files })).toBe("");
});
