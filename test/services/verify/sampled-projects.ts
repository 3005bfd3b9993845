import { readModel, type ReadModel } from "../../../src/commands/read-model.js";
import { moduleSamples, readSamples } from "../../../src/commands/read-samples.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { expectSuccess } from "../../support/expect-success.js";
import type { Texts } from "../../support/render-files.js";

const TOOLS = `resource: tools
entity: tool
properties:
  name: { type: string, required: true, maxLength: 60, filterable: true, sortable: true }
  broken: { type: boolean, required: true, filterable: true, sortable: true }
  maxDays: { type: integer, required: true, minimum: 1, maximum: 90, filterable: range, sortable: true }
  place: { type: object, properties: { town: { type: string, required: true, default: Lund }, shelf: integer } }
  tags: { type: array, items: string }
aliases:
  usable: { where: { broken: false } }
`;
const LOANS = `resource: loans
entity: loan
properties:
  tool: { reference: tools, required: true, embed: [name, maxDays], filterable: true }
  days: { type: integer, required: true, minimum: 1, maximum: 90, filterable: range, sortable: true }
  deposit: { type: decimal, scale: 2, minimum: 0 }
  purpose: { type: string, maxLength: 80, immutable: true, filterable: true }
  note: { type: string, filterable: true }
  total: { type: integer, readOnly: true }
unique: [[tool, purpose]]
`;
const BORROWINGS = `resource: borrowings
represents: loans
properties: { tool: tool, length: days, note: note }
`;
/** A shed that lends tools, in two versions. */
export const FILES: Texts = {
  "service.yaml": "service: shed\nversions: { v1: draft, v2: draft }\n",
  "resources/v1/tools.yaml": TOOLS,
  "resources/v1/loans.yaml": LOANS,
  "resources/v1/borrowings.yaml": BORROWINGS,
  "resources/v2/tools.yaml": "resource: tools\nsameAs: v1\n",
  "resources/v2/loans.yaml": LOANS.replace("note: {", "remark: { renamedFrom: note,"),
};
/** What the rule of the loans accepts. */
export const SAMPLES = `
tools: { broken: false, maxDays: 60, place: { shelf: 2 }, tags: [heavy] }
loans: { deposit: "5" }
v1/loans: { days: 3 }
v2/loans: { days: 4, remark: by hand }
`;

/** Tickets with a list, and with states. */
export const TICKETS = {
  "service.yaml": "service: desk\n",
  "resources/v1/tickets.yaml": `resource: tickets
entity: ticket
properties:
  title: { type: string, required: true, filterable: true, sortable: true }
  lines: { type: array, items: { type: object, properties: { size: { type: integer, required: true, default: 1 }, label: string } } }
  dueDate: { type: timestamp, filterable: true, sortable: true }
  status: { enum: [open, closed], filterable: true }
states: { property: status, initial: open, transitions: { open: [closed], closed: [] }, updatableIn: [open] }
`,
};

/** Reads samples of a project: the text of a file, or what a module exports. */
export async function samplesIn(
  given: string | object,
  files = FILES,
): Promise<ReturnType<typeof readSamples>> {
  const text = typeof given === "string" ? { "samples.yaml": given } : {};
  const placed = Object.entries({ ...files, ...text });
  const memory = new MemoryFiles(
    Object.fromEntries(placed.map(([path, one]) => [`/project/${path}`, one] as const)),
  );
  const project: ReadModel = expectSuccess(await readModel(memory, "/project"));
  const place = { files: memory, root: "/project" };
  return typeof given === "string"
    ? readSamples(place, "samples.yaml", project)
    : moduleSamples("samples.ts", given, { ...place, read: project });
}

/** A machine of a branch can be booked once, and by that branch alone. */
export const BOOKINGS: Texts = {
  "service.yaml": "service: rental\nversions: { v1: draft, v2: draft }\n",
  "resources/v1/branches.yaml":
    "resource: branches\nentity: branch\nproperties: { code: { type: string, required: true, unique: true, maxLength: 40 } }\n",
  "resources/v1/machines.yaml":
    "resource: machines\nentity: machine\nproperties: { branch: { reference: branches, required: true }, label: string }\n",
  "resources/v1/bookings.yaml": `resource: bookings
entity: booking
properties:
  branch: { reference: branches, required: true, filterable: true }
  lines:
    type: array
    minItems: 1
    items: { type: object, properties: { machine: { reference: machines, required: true }, days: { type: decimal, scale: 1, required: true } } }
  bookedMachines: { type: array, items: { reference: machines }, readOnly: true, filterable: true }
  note: { type: string, filterable: true, sortable: true }
`,
  "resources/v2/branches.yaml": "resource: branches\nsameAs: v1\n",
  "resources/v2/machines.yaml": "resource: machines\nsameAs: v1\n",
  "resources/v2/bookings.yaml": "resource: bookings\nsameAs: v1\n",
};

/** Seats and tickets stand under an event, and passes refer to it: all of that only while it is on sale. */
export const EVENTS: Texts = {
  "service.yaml": "service: hall\n",
  "resources/v1/events.yaml": `resource: events
entity: event
properties:
  title: { type: string, required: true, filterable: true }
  price: { type: integer, required: true, minimum: 0, maximum: 100 }
  status: { enum: [draft, checked, onSale, over], filterable: true }
states:
  property: status
  initial: draft
  transitions: { draft: [checked], checked: [], onSale: [over], over: [] }
  updatableIn: [draft, onSale]
  deletableIn: [draft, over]
actions:
  release: { on: entity, states: [checked], leadsTo: onSale, answers: nothing, input: { reason: { type: string, required: true } } }
`,
  "resources/v1/seats.yaml": `resource: seats
entity: seat
parent: events
properties:
  row: { type: integer, required: true, filterable: true }
  free: boolean
`,
  "resources/v1/passes.yaml": `resource: passes
entity: pass
properties:
  event: { reference: events, required: true, embed: [title, status], filterable: true, listedUnder: true }
  holder: { type: string, filterable: true, sortable: true }
`,
};
