import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { compile } from "../../mutants/mutated-services.js";
import { ServiceHost } from "../../support/service-host.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf, serviceOf, told, Trials } from "../../random/trial-of-service.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { expectSuccess } from "../../support/expect-success.js";
import { cases } from "../../support/thorough.js";
import { samplesIn } from "./sampled-projects.js";

/** Whether what cannot be deleted is made: for some services, and both for each in the long run. */
function leaving(name: string): readonly boolean[] {
  return cases({ usual: [name.length % 2 === 0], long: [true, false] });
}
/** `npm run verify:random` tries more of them. */
const SEEDS = cases({ usual: [11], long: [11, 12, 13] });

const host = new ServiceHost();
const trials = new Trials(null);
afterAll(() => [host, trials].forEach((one) => one.stop()));

/** A line for each failure of a service that is made from these files. */
async function triedOn(name: string, files: Texts, leave: boolean): Promise<readonly string[]> {
  const { model, outputs } = await renderValid(files);
  const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const url = await host.start(await compile(name, Object.fromEntries(texts)));
  return failuresOf(await verifyAt(model, url, { leave }));
}

const SERVICE = "service: desk\n";

function tickets(properties: string, more = "", service = SERVICE): Texts {
  const text = `resource: tickets\nentity: ticket\nproperties:\n${properties.replace(/^/gm, "  ")}\n${more}`;
  return { "service.yaml": service, "resources/v1/tickets.yaml": text };
}

const STATE = "status: { enum: [draft, placed, shipped], filterable: true, sortable: true }";
const LINEAR = "transitions: { draft: [placed], placed: [shipped], shipped: [] }";

test.each<{ name: string; files: Texts }>([
  {
    name: "alone writes what it refers to, and objects",
    files: tickets(
      "title: string\nnext: { reference: tickets, readOnly: true, onDelete: setNull }\n" +
        "entries: { type: array, readOnly: true, items: { type: object, properties: { by: { reference: tickets } } } }\n" +
        "rows: { type: array, items: { type: object, properties: { size: integer, by: { reference: tickets, readOnly: true }, near: { reference: tickets, embed: [title] } } } }",
    ),
  },
  {
    name: "deletes in later states only",
    files: tickets(
      `title: { type: string, required: true, filterable: true }\n${STATE}`,
      `states: { property: status, initial: draft, ${LINEAR}, deletableIn: [placed, shipped] }`,
    ),
  },
  {
    name: "deletes in a state that a few transitions lead to",
    files: tickets(
      `title: { type: string, filterable: true }\nnumber: { type: integer, unique: true }\n${STATE}`,
      `states: { property: status, initial: draft, ${LINEAR}, updatableIn: [draft], deletableIn: [shipped] }`,
    ),
  },
  {
    name: "has a state as its only property",
    files: tickets(STATE, `states: { property: status, initial: draft, ${LINEAR} }`),
  },
  {
    name: "has a state as its only property, and deletes late",
    files: tickets(
      STATE,
      `states: { property: status, initial: draft, ${LINEAR}, deletableIn: [shipped] }`,
    ),
  },
  {
    name: "sets values in objects once",
    files: tickets(
      [
        "door: { type: object, properties: { number: { type: integer, immutable: true }, lock: { type: object, properties: { serial: { type: string, immutable: true } } } } }",
        "frame: { type: object, immutable: true, properties: { wood: { type: string, immutable: true }, depth: integer } }",
        "hinge: { type: object, required: true, immutable: true, properties: { size: { type: integer, required: true } } }",
        "origin: { reference: tickets, immutable: true, onDelete: setNull }",
        "near: { type: object, properties: { places: { type: array, items: { reference: tickets, embed: [label] } }, size: integer } }",
        "label: string",
      ].join("\n"),
    ),
  },
  {
    name: "has numbers that are multiples of a hundredth",
    files: tickets(
      [
        "price: { type: number, multipleOf: 0.01, required: true, filterable: true, sortable: true }",
        "rate: { type: number, multipleOf: 0.1, minimum: 0.3, maximum: 0.9, filterable: true }",
        "share: { type: number, multipleOf: 0.07, exclusiveMinimum: 0 }",
        "small: { type: number, multipleOf: 1e-7, maximum: 0.001 }",
        "steps: { type: array, items: { type: number, multipleOf: 0.01 }, uniqueItems: true }",
      ].join("\n"),
    ),
  },
  {
    name: "has bounds that are not multiples",
    files: tickets(
      [
        "size: { type: integer, minimum: -5, maximum: 100, multipleOf: 3 }",
        "weight: { type: number, minimum: 0.5, maximum: 10, multipleOf: 1 }",
        "price: { type: decimal, scale: 2, minimum: 0.01, maximum: 99.99, multipleOf: 0.5 }",
        "huge: { type: number, minimum: -1e300, maximum: 1e300 }",
      ].join("\n"),
    ),
  },
  {
    name: "has unique codes, of which there are few",
    files: tickets(
      [
        "currency: { type: string, format: currencyCode, required: true, unique: true }",
        "country: { type: string, format: countryCode, unique: true, filterable: true }",
        "day: { type: string, format: date, unique: true }",
      ].join("\n"),
    ),
  },
  {
    name: "has a unique property with hardly any values",
    files: tickets(
      "side: { enum: [left, right], unique: true }\nrate: { type: number, multipleOf: 0.1, minimum: 0.3, maximum: 0.9, unique: true }",
    ),
  },
  {
    name: "stands at the root",
    files: tickets("title: { type: string, filterable: true }", "", `${SERVICE}basePath: /\n`),
  },
  {
    name: "has the closed forms of text",
    files: tickets(
      [
        "currency: { type: string, format: currencyCode, required: true, filterable: true, sortable: true }",
        "country: { type: string, format: countryCode, filterable: true }",
        'nordic: { type: string, format: countryCode, pattern: "^(?:SE|NO|DK)$", filterable: true }',
        "language: { type: string, format: languageTag, filterable: true, sortable: true }",
        "opening: { type: string, format: time, filterable: true, sortable: true }",
        "stay: { type: string, format: duration, filterable: true }",
        "countries: { type: array, items: { type: string, format: countryCode }, uniqueItems: true, filterable: true }",
      ].join("\n"),
    ),
  },
  {
    name: "has times that are unique, and two versions",
    files: {
      ...tickets(
        "start: { type: timestamp, unique: true }",
        "",
        `${SERVICE}versions: { v1: draft, v2: draft }\n`,
      ),
      "resources/v2/tickets.yaml": "resource: tickets\nsameAs: v1\n",
    },
  },
  {
    name: "has nothing that a body could hold",
    files: tickets("number: { type: integer, readOnly: true }"),
  },
  {
    name: "has defaults of what is unique together",
    files: tickets(
      'side: { enum: [left, right], required: true }\nplace: { type: uuid, default: "0190a0a0-0000-7000-8000-000000000001" }',
      "unique: [[side, place]]",
    ),
  },
])("verify has nothing to say about a service that $name", async ({ name, files }) => {
  const folder = name.replaceAll(/\W/g, "-");
  for (const leave of leaving(name)) {
    expect(await triedOn(`${folder}-${leave}`, files, leave)).toEqual([]);
  }
});

const BEARER = `${SERVICE}authentication: { scheme: bearer, issuer: "https://login.example.com/", audience: desk, keys: "https://login.example.com/keys" }\n`;
const NOBODYS = `import type { TicketHooks } from "../generated/entities/tickets/tickets.hooks.js";
export const tickets: TicketHooks = { scope: () => null };
`;

const RESERVED = "transitions: { draft: [placed], placed: [], shipped: [] }";
const SHIP =
  "actions: { ship: { input: { crate: { type: string, required: true, maxLength: 40 } }, states: [placed], leadsTo: shipped } }";
const SHIPS = `import type { TicketHooks } from "../generated/entities/tickets/tickets.hooks.js";
export const tickets: TicketHooks = { actions: { ship() {} } };
`;
const REFUSES = `import { validationFailed } from "@rulebound/runtime";
import type { TicketHooks } from "../generated/entities/tickets/tickets.hooks.js";
const issues = [{ field: "crate", message: "is not one of ours" }];
export const tickets: TicketHooks = { actions: { ship: () => { throw validationFailed(issues); } } };
`;
/** What is read only is written anew each time; the end does not come before the start. */
const RENTALS = [
  "startDate: { type: string, format: date, required: true }",
  "endDate: { type: string, format: date, required: true }",
  "returnDate: { type: string, format: date, immutable: true }",
  "tool: { type: string, required: true, filterable: true, maxLength: 40 }",
  "days: { type: integer, readOnly: true }",
  "place: { type: object, properties: { town: string, label: { type: string, readOnly: true } } }",
  "lines: { type: array, items: { type: object, properties: { quantity: { type: integer, minimum: 0, maximum: 9 }, total: { type: integer, readOnly: true } } } }",
].join("\n");
const COMPUTES = `import type { TicketProperties } from "../generated/entities/tickets/tickets.entity.js";
import type { TicketHooks } from "../generated/entities/tickets/tickets.hooks.js";
function compute(ticket: TicketProperties): void {
  ticket.days = (Date.parse(ticket.endDate) - Date.parse(ticket.startDate)) / 86_400_000;
  for (const line of ticket.lines) line.total = (line.quantity ?? 0) * ticket.days;
  if (ticket.place !== null) ticket.place.label = ticket.tool + ticket.days;
}
export const tickets: TicketHooks = {
  validate(next, stored, problems) {
    if (next.endDate < next.startDate) problems.add("endDate", "is before startDate");
    if (next.returnDate !== null && next.endDate < next.returnDate) problems.add("endDate", "is before returnDate");
  },
  beforeCreate: compute,
  beforeUpdate: compute,
};
`;

const DERIVES = `import type { TicketHooks } from "../generated/entities/tickets/tickets.hooks.js";
export const tickets: TicketHooks = {
  beforeCreate(ticket) {
    ticket.first ??= ticket.name?.split(" ")[0] ?? null;
  },
  beforeUpdate(next, stored) {
    if (next.name !== stored.name) next.first = next.name?.split(" ")[0] ?? null;
  },
};
`;
const V1_AND_V2 = `${BEARER}versions: { v1: draft, v2: draft }\n`;

test.each<{ name: string; schemas: Texts; code: Texts; given?: object }>([
  {
    name: "derives what v2 alone has of what v1 writes, which samples say",
    schemas: {
      ...tickets("name: { type: string, maxLength: 40 }\nsize: integer", "", V1_AND_V2),
      "resources/v2/tickets.yaml":
        "resource: tickets\nentity: ticket\nproperties: { first: string, size: integer }\nremoved: { name: why }\n",
    },
    code: { "src/custom/tickets.ts": DERIVES },
    given: { "v1/tickets": { name: "Ada Lovelace" }, "v2/tickets": { first: "Ada" } },
  },
  {
    name: "computes what is read only, and has a rule about two dates",
    schemas: {
      ...tickets(RENTALS, "", V1_AND_V2),
      "resources/v1/stays.yaml":
        "resource: stays\nrepresents: tickets\nproperties: [tool, days, place, lines, startDate, endDate]\n",
      "resources/v2/tickets.yaml": "resource: tickets\nsameAs: v1\n",
    },
    code: { "src/custom/tickets.ts": COMPUTES },
    given: { tickets: { startDate: "2026-01-31", endDate: "2026-02-01", returnDate: null } },
  },
  {
    name: "shows some who create parents none of them",
    schemas: {
      ...tickets(
        "title: string",
        'access: { read: ["role:clerk"], create: ["role:clerk", "role:admin"] }',
        BEARER,
      ),
      "resources/v1/orders.yaml":
        "resource: orders\nentity: order\nparent: tickets\nproperties: { text: string }\n",
    },
    code: {},
  },
  {
    name: "refers to what nobody can create",
    schemas: {
      ...tickets("title: string", "operations: [list, read]", BEARER),
      "resources/v1/orders.yaml":
        "resource: orders\nentity: order\nproperties: { ticket: { reference: tickets, required: true } }\naccess: { read: [authenticated], create: [authenticated], update: [owner], delete: [owner] }\n",
    },
    code: {},
  },
  {
    name: "shows nothing to anybody, and lets everybody change it",
    schemas: tickets(
      "title: string\nsize: integer",
      "access: { read: [custom], create: [anyone] }",
      BEARER,
    ),
    code: { "src/custom/tickets.ts": NOBODYS },
  },
  {
    name: "deletes in a state that an action alone leads to",
    schemas: tickets(
      `title: { type: string, filterable: true }\n${STATE}`,
      `states: { property: status, initial: draft, ${RESERVED}, updatableIn: [draft], deletableIn: [shipped] }\n${SHIP}`,
      BEARER,
    ),
    code: { "src/custom/tickets.ts": SHIPS },
  },
  {
    name: "refuses what an action alone leads to",
    schemas: tickets(
      STATE,
      `states: { property: status, initial: draft, ${RESERVED} }\n${SHIP}`,
      BEARER,
    ),
    code: { "src/custom/tickets.ts": REFUSES },
  },
])(
  "verify has nothing to say about a service that $name",
  async ({ name, schemas, code, given = {} }) => {
    const samples = expectSuccess(await samplesIn(given, schemas));
    const service = { schemas, code, isSecured: true };
    for (const leave of leaving(name)) {
      const folder = `${name.replaceAll(/\W/g, "-")}-${leave}`;
      expect(await trials.failures(service, { name: folder, leave, samples })).toEqual([]);
    }
  },
);

test("verify has nothing to say about services of random schemas", async () => {
  const trials = new Trials(inject("postgresUrl"));
  onTestFinished(() => trials.stop());
  for (const seed of SEEDS) {
    const service = serviceOf(seed);
    expect(
      await trials.failures(service, { name: String(seed), leave: seed % 2 === 0 }),
      told(service),
    ).toEqual([]);
  }
});
