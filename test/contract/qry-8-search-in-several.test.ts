import fc from "fast-check";
import { expect, test } from "vitest";
import type { EntityService } from "#runtime/entity/entity-service";
import type { Context } from "#runtime/entity/hooks";
import { folded, isShortWord, searchedWords } from "#runtime/query/search-text";
import type { JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectFields, resultsOf } from "./support/errors.js";
import { LOGS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Services = Readonly<Record<"contacts", EntityService<never, Values, Values, Values>>>;

const CONTACTS = "/api/v1/contacts";
const service = await startService();

async function add(name: string, more: JsonObject = {}): Promise<void> {
  await service.create(CONTACTS, { name, ...more });
}

/** In the order of the list. */
async function found(search: string, more = ""): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const text = encodeURIComponent(search);
    const page = await service.read(
      `${CONTACTS}?pageSize=50&pageNumber=${pageNumber}&search=${text}${more}`,
    );
    const results = resultsOf(page);
    all.push(...results);
    if (results.length === 50) continue;
    expect(page["itemCount"]).toBe(all.length);
    return all;
  }
}

async function names(search: string, more = ""): Promise<unknown[]> {
  return (await found(search, more)).map((one) => one["name"]);
}

const harbour = await service.create("/api/v1/depots", { name: "Harbour Öst" });
const depot = { depotId: harbour["depotId"] ?? null };

await add("Zoe Quist", { note: "Met Ann at the fair" });
await add("Ann Quist", { depot });
await add("Bea Lund", { aliases: ["Annika"], address: { street: "1 Quist Road" } });
await add("Cid Lund", { depot, note: "Likes Quist" });

test.each([
  ["ann", ["Ann Quist", "Zoe Quist", "Bea Lund"]],
  ["quist", ["Zoe Quist", "Ann Quist", "Cid Lund", "Bea Lund"]],
  ["QUIST ann", ["Zoe Quist", "Ann Quist", "Bea Lund"]],
  ["harbour lund", ["Cid Lund"]],
  ["ost lund", ["Cid Lund"]],
  ["quist be", ["Bea Lund"]],
  ["harbour öst", ["Ann Quist", "Cid Lund"]],
  ["harbour annika", []],
])("?search=%s", async (search, wanted) => {
  expect(await names(search)).toEqual(wanted);
});

test("a sort that is asked for goes before, and other filters hold beside it", async () => {
  expect(await names("quist", "&sort=name")).toEqual([
    "Ann Quist",
    "Bea Lund",
    "Cid Lund",
    "Zoe Quist",
  ]);
  expect(await names("quist", "&name.startsWith=b")).toEqual(["Bea Lund"]);
});

test.each(["", "an", "a".repeat(201), "quist&search=ann"])(
  "?search=%s is refused",
  async (search) => {
    expectFields(await service.send("GET", `${CONTACTS}?search=${search}`), "search");
  },
);

test("a list without `search` does not know it", async () => {
  expectFields(await service.send("GET", "/api/v1/depots?search=quist"), "search");
});

test("own code searches in what a reference embeds", async () => {
  const found: unknown[] = [];
  const logs = await customCode("logs");
  logs.beforeCreate = async (_, context) => {
    const { contacts } = (context as Context<unknown, Services>).services;
    const where = { "depot.name": { contains: "harbour" } };
    for (const sort of [[], ["-name"]]) {
      const { results, itemCount } = await contacts.list({ where, sort } as never);
      found.push([itemCount, ...results.map((one: Values) => one["name"])]);
    }
  };
  expect((await service.send("POST", LOGS, { body: { line: "one" } })).status).toBe(201);
  expect(found).toEqual([
    [2, "Ann Quist", "Cid Lund"],
    [2, "Cid Lund", "Ann Quist"],
  ]);
});

test("what is found follows the names of others", async () => {
  const other = await service.create("/api/v1/depots", { name: "Ferry" });
  await add("Dag Berg", { depot: { depotId: other["depotId"] ?? null } });
  expect(await names("ferry berg")).toEqual(["Dag Berg"]);
  const path = `/api/v1/depots/${String(other["depotId"])}`;
  expect((await service.send("PATCH", path, { body: { name: "Wharf" } })).status).toBe(200);
  expect(await names("ferry")).toEqual([]);
  expect(await names("wharf")).toEqual(["Dag Berg"]);
});

const WORDS = ["mast", "MÅST", "keel", "kee", "hull", "hulls", "ab", "北京", "京"];
const words = (most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most })
    .map((all) => all.join(" "));

test("the index finds, and orders, as a scan does", async () => {
  const depots: string[] = [];
  for (const name of ["Keel Mast", "Hull", "北京"]) {
    depots.push(String((await service.create("/api/v1/depots", { name }))["depotId"]));
  }
  const contact = fc.record({
    name: words(3),
    note: fc.option(words(3)),
    aliases: fc.array(words(2), { maxLength: 2 }),
    depot: fc.option(fc.constantFrom(...depots).map((depotId) => ({ depotId }))),
  });
  for (const { name, ...more } of fc.sample(contact, 80)) await add(`Tried ${name}`, more);
  const all = await found("tried");
  expect(all).toHaveLength(80);
  const textsOf = ({ name, note, depot: own, aliases }: JsonObject): string[] =>
    [name, note, (own as JsonObject | null)?.["name"], (aliases as string[]).join(" ")].map(
      (text) => folded(String(text ?? "")),
    );
  const scan = (search: string): unknown[] => {
    const asked = folded(search).split(" ");
    const ordering = asked.filter((word) => !searchedWords(word).some(isShortWord));
    const rank = (one: JsonObject): number =>
      textsOf(one).findIndex((text) => ordering.some((word) => text.includes(word)));
    const id = (one: JsonObject): string => String(one["contactId"]);
    return all
      .filter((one) => asked.every((word) => textsOf(one).some((text) => text.includes(word))))
      .sort((a, b) => rank(a) - rank(b) || (id(a) < id(b) ? -1 : 1))
      .map(id);
  };
  const search = fc
    .tuple(fc.constantFrom("mast", "keel", "hull", "北京"), words(2))
    .map((both) => both.join(" "));
  await fc.assert(
    fc.asyncProperty(search, async (text) => {
      const results = (await found(text)).filter(({ name }) => String(name).startsWith("Tried"));
      expect(results.map(({ contactId }) => contactId)).toEqual(scan(text));
    }),
    { numRuns: 60 },
  );
});
