import fc from "fast-check";
import { expect, test } from "vitest";
import type { EntityService } from "#runtime/entity/entity-service";
import type { Context } from "#runtime/entity/hooks";
import { folded } from "#runtime/query/search-text";
import type { JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectFields, resultsOf } from "./support/errors.js";
import { LOGS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Services = Readonly<Record<"contacts", EntityService<never, Values, Values, Values>>>;

const CONTACTS = "/api/v1/contacts";
const service = await startService();

async function add(name: string, more: JsonObject = {}): Promise<string> {
  const made = await service.create(CONTACTS, { name, ...more });
  return String(made["contactId"]);
}

async function patch(path: string, body: JsonObject): Promise<void> {
  expect((await service.send("PATCH", path, { body })).status).toBe(200);
}

async function names(...parameters: readonly (readonly [string, string])[]): Promise<string[]> {
  const search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const page = await service.read(`${CONTACTS}?${["pageSize=100", ...search].join("&")}`);
  const found = resultsOf(page).map((one) => String(one["name"]));
  expect(page["itemCount"]).toBe(found.length);
  return found.sort();
}

await add("Ann Smith-Müller", {
  aliases: ["Annie", "the smith"],
  address: { street: "1 Harbour Road" },
});
await add("Anna Schmidt GmbH", { city: "Hof" });
await add("Łódź Straße 100%_'\"", { aliases: ["Ørsted"] });
await add("東京タワー 株式会社");
await add("한국어 학교");

test.each([
  ["name.contains", "smith", ["Ann Smith-Müller"]],
  ["name.contains", "MULLER ann", ["Ann Smith-Müller"]],
  ["name.contains", "ann", ["Ann Smith-Müller", "Anna Schmidt GmbH"]],
  ["name.contains", "strasse", ["Łódź Straße 100%_'\""]],
  ["name.contains", "100%", ["Łódź Straße 100%_'\""]],
  ["name.contains", "%_'\"", ["Łódź Straße 100%_'\""]],
  ["name.contains", "___", []],
  ["name.contains", "smith schmidt", []],
  ["name.contains", "muller a sm", ["Ann Smith-Müller"]],
  ["name.contains", "anna x", []],
  ["name.contains", "_' 100%", ["Łódź Straße 100%_'\""]],
  ["name.contains", "_’ 100%", ["Łódź Straße 100%_'\""]],
  ["name.contains", "東京", ["東京タワー 株式会社"]],
  ["name.contains", "会社 タワ", ["東京タワー 株式会社"]],
  ["name.contains", "국어", ["한국어 학교"]],
  ["name.startsWith", "a", ["Ann Smith-Müller", "Anna Schmidt GmbH"]],
  ["name.startsWith", "ann ", ["Ann Smith-Müller", "Anna Schmidt GmbH"]],
  ["name.startsWith", "ann s", ["Ann Smith-Müller"]],
  ["name.startsWith", "smith", []],
  ["name.startsWith", "lodz", ["Łódź Straße 100%_'\""]],
  ["aliases.contains", "smith", ["Ann Smith-Müller"]],
  ["aliases.startsWith", "the s", ["Ann Smith-Müller"]],
  ["aliases.startsWith", "smith", []],
  ["aliases.contains", "orsted", ["Łódź Straße 100%_'\""]],
  ["address.street.contains", "harb", ["Ann Smith-Müller"]],
])("%s=%s", async (name, value, wanted) => {
  expect(await names([name, value])).toEqual(wanted);
});

test("an index of texts is none of the tables that the health of the service looks at", async () => {
  expect((await service.send("GET", "/readyz")).status).toBe(200);
});

test("values are alternatives, and other filters hold beside them", async () => {
  const both = [
    ["name.contains", "smith"],
    ["name.contains", "schmidt"],
  ] as const;
  expect(await names(...both)).toEqual(["Ann Smith-Müller", "Anna Schmidt GmbH"]);
  expect(await names(...both, ["city", "Hof"])).toEqual(["Anna Schmidt GmbH"]);
  expect(await names(["name.contains", "ann"], ["name.startsWith", "anna"])).toEqual([
    "Anna Schmidt GmbH",
  ]);
  expect(await names(["name.contains", "ann"], ["aliases.contains", "annie"])).toEqual([
    "Ann Smith-Müller",
  ]);
});

test.each([
  ["name.contains", ""],
  ["name.contains", "  "],
  ["name.contains", "an"],
  ["name.contains", "東"],
  ["name.contains", "\u0301\u0301\u0301"],
  ["name.contains", "a".repeat(201)],
  ["name.startsWith", ""],
  ["city.contains", "hof"],
  ["name.atLeast", "a"],
])("%s=%s is refused", async (name, value) => {
  expectFields(await service.send("GET", `${CONTACTS}?${name}=${encodeURIComponent(value)}`), name);
});

test("what is found follows each change", async () => {
  const id = await add("Quentin Quill", { aliases: ["Quokka"], address: { street: "Quay" } });
  const path = `${CONTACTS}/${id}`;
  await patch(path, { city: "Hof" });
  expect(await names(["name.contains", "quill"])).toEqual(["Quentin Quill"]);
  await patch(path, { name: "Walter Wren" });
  expect(await names(["name.contains", "quill"])).toEqual([]);
  expect(await names(["name.contains", "wren"])).toEqual(["Walter Wren"]);
  await patch(path, { aliases: [], address: null });
  expect(await names(["aliases.contains", "quokka"])).toEqual([]);
  expect(await names(["address.street.startsWith", "q"])).toEqual([]);
  expect((await service.send("DELETE", path)).status).toBe(204);
  expect(await names(["name.contains", "wren"])).toEqual([]);
});

test("own code searches in the words of a request", async () => {
  const found: unknown[] = [];
  const logs = await customCode("logs");
  logs.beforeCreate = async (_, context) => {
    const { contacts } = (context as Context<unknown, Services>).services;
    const list = async (name: Values) =>
      (await contacts.list({ where: { name } })).results.map((one: Values) => one["name"]);
    found.push(
      await list({ contains: [] }),
      await list({ contains: "muller smith" }),
      await list({ startsWith: ["anna", "한국"] }),
    );
    found.push(await list({ contains: "an" }).catch((error: unknown) => String(error)));
  };
  expect((await service.send("POST", LOGS, { body: { line: "one" } })).status).toBe(201);
  expect(found).toEqual([
    [],
    ["Ann Smith-Müller"],
    ["Anna Schmidt GmbH", "한국어 학교"],
    expect.stringMatching(/name must have a word of at least 3 characters/),
  ]);
});

/** Of ten scripts, with letters that fold, marks that stay, and signs that databases read otherwise. */
const PARTS = [
  ..."abßẞøØłıİæÆñÄçé%_'\"\\*^-.()",
  ...[
    "ΣΑΣ",
    "ς",
    "йод",
    "Ёж",
    "שלום",
    "مَرحبا",
    "हिन्दी",
    "ไทย",
    "北京",
    "か",
    "が",
    "カー",
    "한국",
    "각",
    "ﬁ",
    "①",
    " ",
  ],
];
const text = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(""))
  .filter((made) => made.trim() !== "");

test("the index finds what a scan of all texts finds, in any script", async () => {
  const start = "Scanned: ";
  const texts = fc.sample(text, 150);
  for (const made of texts) await add(start + made);
  const all = (await everything()).map((name) => [name, folded(name)] as const);
  const scan = (isFound: (found: string) => boolean): string[] =>
    all
      .filter(([, found]) => isFound(found))
      .map(([name]) => name)
      .sort();
  const value = fc.oneof(
    text,
    fc
      .tuple(fc.constantFrom(...texts), fc.nat(20), fc.integer({ min: 1, max: 8 }))
      .map(([made, from, length]) => [...made].slice(from, from + length).join("") || made),
  );
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(value, async (searched) => {
      const wanted = scan((found) =>
        folded(searched)
          .split(" ")
          .every((word) => found.includes(word)),
      );
      const answer = await service.send(
        "GET",
        `${CONTACTS}?pageSize=100&name.contains=${encodeURIComponent(searched)}`,
      );
      if (answer.status === 200) {
        tried += 1;
        expect(await found("name.contains", searched)).toEqual(wanted);
      } else expect(answer.status).toBe(400);
      if (folded(searched) === "") return;
      const begun = scan((one) => one.startsWith(folded(start + searched)));
      expect(await found("name.startsWith", start + searched)).toEqual(begun);
    }),
    { numRuns: 300 },
  );
  expect(tried).toBeGreaterThan(100);
});

/** Of all pages. */
async function everything(query = ""): Promise<string[]> {
  const all: string[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const page = await service.read(`${CONTACTS}?pageSize=100&pageNumber=${pageNumber}${query}`);
    const names = resultsOf(page).map((one) => String(one["name"]));
    all.push(...names);
    if (names.length < 100) return all;
  }
}

async function found(name: string, value: string): Promise<string[]> {
  return (await everything(`&${name}=${encodeURIComponent(value)}`)).sort();
}
