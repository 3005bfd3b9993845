import fc from "fast-check";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { renderValid } from "../support/render-files.js";
import { cases } from "../support/thorough.js";
import {
  compiled,
  DATABASES,
  newDatabase,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// Clients of two versions write the same orders, and each version finds them by its own form of them (VER-2).

const SEQUENCES = Number(process.env["SEQUENCES"] ?? cases({ usual: 3, long: 40 }));
const WRITES = 60;

const TEXT = { type: "string", maxLength: 40, filterable: true, sortable: true };

function orders(properties: Yaml): string {
  return stringify({ resource: "orders", entity: "order", properties });
}

function lines(properties: Yaml): Yaml {
  return { type: "array", items: { type: "object", properties } };
}

function notes(embed: readonly string[]): string {
  const order = { reference: "orders", embed };
  return stringify({ resource: "notes", entity: "note", properties: { order } });
}

/** The functions lose something in both directions: spaces of v1, and a first name of v2 that is a text without letters. */
const CODE = {
  "src/custom/conversions/orders-v1-to-v2.ts": `export const ordersV1ToV2 = {
  toNewer: ({ name }) => {
    const [first = "", ...rest] = name.trim().split(/ +/);
    return rest.length === 0 ? { firstName: null, lastName: first } : { firstName: first, lastName: rest.join(" ") };
  },
  toOlder: ({ firstName, lastName }) => ({ name: firstName === null ? lastName : firstName + " " + lastName }),
};
`,
  "src/custom/conversions/orders.lines-v1-to-v2.ts": `export const ordersLinesV1ToV2 = {
  toNewer: ({ grams }) => ({ kilos: Math.round(grams / 1000) }),
  toOlder: ({ kilos }) => ({ grams: kilos * 1000 }),
};
`,
};

const service = await compiled(
  "both-versions",
  await renderValid({
    "service.yaml": "service: store\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/orders.yaml": orders({
      name: { ...TEXT, required: true, maxLength: 90 },
      city: "string",
      lines: lines({ grams: { type: "integer", required: true, minimum: 0 } }),
    }),
    "resources/v2/orders.yaml": orders({
      firstName: { ...TEXT, converted: true },
      lastName: { ...TEXT, required: true, converted: true },
      city: "string",
      lines: lines({
        kilos: { type: "integer", required: true, minimum: 0, converted: true },
      }),
    }),
    "resources/v1/notes.yaml": notes(["name"]),
    "resources/v2/notes.yaml": notes(["firstName", "lastName"]),
  }),
  (texts) => ({ ...texts, ...CODE }),
);

interface Line {
  readonly grams: number;
  readonly kilos: number;
}

/** What both versions show of an order. */
interface Order {
  readonly id: string;
  readonly name: string;
  readonly firstName: string | null;
  readonly lastName: string;
  readonly city: string | null;
  readonly lines: readonly Line[];
}

type Version = "v1" | "v2";

interface Write {
  readonly version: Version;
  /** Of the orders that are there; a new one where there are fewer. */
  readonly place: number;
  readonly names: readonly [string, string | null];
  readonly weights: readonly number[];
  readonly what: "nothing" | "city" | "name" | "lines" | "all";
}

const WORD = fc.constantFrom("Ada", "Ben", "Zoe", "zoe", "Åse");
const writes = fc.array(
  fc.record<Write>({
    version: fc.constantFrom("v1", "v2"),
    place: fc.nat({ max: 12 }),
    names: fc.tuple(WORD, fc.option(fc.oneof(WORD, fc.constant(" Ida")), { nil: null })),
    weights: fc.array(fc.constantFrom(0, 1, 2), { maxLength: 3 }),
    what: fc.constantFrom("nothing", "city", "name", "lines", "all"),
  }),
  { minLength: WRITES, maxLength: WRITES },
);

function shown({ lines: items, ...order }: Order, version: Version): Yaml {
  const { name, firstName, lastName, city } = order;
  return version === "v1"
    ? { name, city, lines: items.map(({ grams }) => ({ grams })) }
    : { firstName, lastName, city, lines: items.map(({ kilos }) => ({ kilos })) };
}

/** The order after a write, by the laws: what a version writes it reads, and what it leaves stays in the other. */
function after(order: Order, { version, names, weights, what }: Write): Order {
  const isAll = what === "all";
  const [last, first] = names;
  return {
    ...order,
    ...((isAll || what === "name") && renamed(order, version, first, last)),
    ...((isAll || what === "city") && { city: last }),
    ...((isAll || what === "lines") && { lines: relined(order.lines, version, weights) }),
  };
}

type Names = Pick<Order, "name" | "firstName" | "lastName">;

function renamed(order: Order, version: Version, first: string | null, last: string): Names {
  if (version === "v2") {
    const isSame = order.firstName === first && order.lastName === last;
    const name = isSame ? order.name : joined(first, last);
    return { name, firstName: first, lastName: last };
  }
  const name = first === null ? last : `${last} ${first}`;
  if (name === order.name) return order;
  const [before, now] = [split(order.name), split(name)];
  return {
    name,
    // A part that is as it would have been made before stays as it was.
    firstName: now.firstName === before.firstName ? order.firstName : now.firstName,
    lastName: now.lastName === before.lastName ? order.lastName : now.lastName,
  };
}

function joined(first: string | null, last: string): string {
  return first === null ? last : `${first} ${last}`;
}

function split(name: string): { readonly firstName: string | null; readonly lastName: string } {
  const [first = "", ...rest] = name.trim().split(/ +/);
  return rest.length === 0
    ? { firstName: null, lastName: first }
    : { firstName: first, lastName: rest.join(" ") };
}

/** Items that were there keep their other form, each once: the equal one in the same place, or else the first that is left. */
function relined(before: readonly Line[], version: Version, weights: readonly number[]): Line[] {
  const left = new Set(before.keys());
  return weights.map((weight, place) => {
    const made =
      version === "v1"
        ? { grams: weight * 700, kilos: Math.round((weight * 700) / 1000) }
        : { grams: weight * 1000, kilos: weight };
    const isIt = (index: number): boolean =>
      version === "v1" ? before[index]?.grams === made.grams : before[index]?.kilos === made.kilos;
    const found = [place, ...left].find((index) => left.has(index) && isIt(index));
    if (found === undefined) return made;
    left.delete(found);
    return before[found] ?? made;
  });
}

async function send(method: string, url: string, body?: Yaml): Promise<Yaml> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, {
    method,
    ...(body && { headers, body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Yaml;
  expect(answer.status, JSON.stringify(json)).toBeLessThan(300);
  return json;
}

/** Sends a write as a PUT of all, or a PATCH; returns the order by the laws. */
async function written(list: string, order: Order | null, write: Write): Promise<Order> {
  const { version } = write;
  const at = list.replace("v1", version);
  const empty = { id: "", name: "", firstName: null, lastName: "", city: null, lines: [] };
  const next = after(order ?? empty, order === null ? { ...write, what: "all" } : write);
  const body = shown(next, version);
  if (order === null) return { ...next, id: String((await send("POST", at, body))["orderId"]) };
  const method = write.weights.length % 2 === 0 ? "PUT" : "PATCH";
  const before = await send("GET", `${at}/${order.id}`);
  const result = await send(method, `${at}/${order.id}`, body);
  if (JSON.stringify(next) === JSON.stringify(order)) expect(result).toEqual(before);
  return next;
}

async function listed(list: string, version: Version, query: string): Promise<Yaml[]> {
  const url = `${list.replace("v1", version)}?pageSize=100&${query}`;
  return (await send("GET", url))["results"] as Yaml[];
}

/** What each version lists, against a scan of what it shows. */
async function expectFound(list: string, all: readonly Order[]): Promise<void> {
  const queries: readonly (readonly [Version, keyof Order])[] = [
    ["v1", "name"],
    ["v2", "firstName"],
    ["v2", "lastName"],
  ];
  for (const [version, key] of queries) {
    for (const value of new Set(all.map((one) => one[key]))) {
      if (value === null) continue;
      const wanted = all.filter((one) => one[key] === value).map((one) => shown(one, version));
      const found = await listed(list, version, `${key}=${encodeURIComponent(String(value))}`);
      expect(found.map(withoutCommon).map(texted).sort()).toEqual(wanted.map(texted).sort());
    }
    const sorted = (await listed(list, version, `sort=${key}`)).map((one) => one[key]);
    const given = all.map((one) => one[key]).filter((value) => value !== null);
    expect(sorted.filter((value) => value !== null)).toEqual([...given].sort());
  }
}

/** What each version embeds of an order, in a note that the other one has written. */
async function expectEmbedded(list: string, all: readonly Order[]): Promise<void> {
  const at = (version: Version): string => list.replace("v1", version).replace(/orders$/, "notes");
  for (const [index, { id, name, firstName, lastName }] of all.entries()) {
    const version = index % 2 === 0 ? "v1" : "v2";
    const { noteId } = await send("POST", at(version), { order: { orderId: id } });
    const one = await send("GET", `${at("v1")}/${String(noteId)}`);
    const two = await send("GET", `${at("v2")}/${String(noteId)}`);
    expect(one["order"]).toEqual({ orderId: id, name });
    expect(two["order"]).toEqual({ orderId: id, firstName, lastName });
    await fetch(`${at(version)}/${String(noteId)}`, { method: "DELETE" });
  }
}

function withoutCommon({ name, firstName, lastName, city, lines: items }: Yaml): Yaml {
  const names = name === undefined ? { firstName, lastName } : { name };
  return { ...names, city, lines: items };
}

function texted(order: Yaml): string {
  return JSON.stringify(order);
}

test.each(DATABASES)(
  "%s: each version reads and finds what both have written",
  async (database) => {
    await whileServing(service, await newDatabase(database), async (list) => {
      for (const sequence of fc.sample(writes, { numRuns: SEQUENCES, seed: 20_261_130 })) {
        const all: Order[] = [];
        for (const write of sequence) {
          const known = all[write.place] ?? null;
          const next = await written(list, known, write);
          if (known === null) all.push(next);
          else all[write.place] = next;
          for (const version of ["v1", "v2"] as const) {
            const read = await send("GET", `${list.replace("v1", version)}/${next.id}`);
            expect(withoutCommon(read)).toEqual(shown(next, version));
          }
        }
        await expectFound(list, all);
        await expectEmbedded(list, all);
        for (const { id } of all) await fetch(`${list}/${id}`, { method: "DELETE" });
      }
    });
  },
);
