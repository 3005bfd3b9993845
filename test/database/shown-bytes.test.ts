import { stringify } from "yaml";
import { expect, test } from "vitest";
import { renderValid } from "../support/render-files.js";
import {
  compiled,
  DATABASES,
  newDatabase,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// What is embedded is shown each time that something refers to it: a body of 60 KB could be answered with 60 MB (LIM-1).

const MEMBERS = { type: "array", items: { reference: "people", embed: ["text"] } };
const resource = (name: string, entity: string, properties: Yaml): string =>
  stringify({ resource: name, entity, properties }, { aliasDuplicateObjects: false });
/** References that a join reads; PostgreSQL plans 40 of them for seconds. */
const JOINED = Object.fromEntries(
  Array.from({ length: 24 }, (_, index) => [`p${index}`, { reference: "people", embed: ["text"] }]),
);
const service = await compiled(
  "shown-bytes",
  await renderValid({
    "service.yaml": "service: store\n",
    "resources/v1/cards.yaml": resource("cards", "card", JOINED),
    "resources/v1/people.yaml": resource("people", "person", { text: "string" }),
    "resources/v1/teams.yaml": resource("teams", "team", {
      members: MEMBERS,
      lines: {
        type: "array",
        items: { type: "object", properties: { who: { reference: "people", embed: ["text"] } } },
      },
    }),
  }),
);

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Yaml;
}

interface Teams {
  readonly results: readonly { readonly teamId: string }[];
  readonly itemCount: number;
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly pageCount: number;
}

async function send(url: string, method = "GET", body?: Yaml): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const answer = await fetch(url, { method, ...sent });
  const text = await answer.text();
  return { status: answer.status, text, json: JSON.parse(text) as Yaml };
}

/** A person of whom a short text is shown, and how it is made the longest one. */
async function person(base: string): Promise<{ reference: Yaml; grow: () => Promise<void> }> {
  const made = await send(`${base}/people`, "POST", { text: "short" });
  const personId = String(made.json["personId"]);
  const grow = async (): Promise<void> => {
    const text = "\u0001".repeat(10_000);
    const grown = await send(`${base}/people/${personId}`, "PATCH", { text });
    expect(grown.status, grown.text).toBe(200);
  };
  return { reference: { personId }, grow };
}

const times = (count: number, reference: Yaml): readonly Yaml[] => Array(count).fill(reference);

const whileTeams = async (
  database: (typeof DATABASES)[number],
  work: (base: string) => Promise<void>,
): Promise<void> =>
  whileServing(service, await newDatabase(database), async (orders) =>
    work(orders.replace(/\/orders$/, "")),
  );

test.each(DATABASES)(
  "%s: a write that would be answered with too much is refused at the property",
  async (database) => {
    await whileTeams(database, async (base) => {
      const { reference, grow } = await person(base);
      await grow();
      for (const body of [
        { members: times(1000, reference) },
        { lines: times(1000, { who: reference }) },
        { members: times(40, reference), lines: times(40, { who: reference }) },
      ]) {
        const { status, json } = await send(`${base}/teams`, "POST", body);
        expect(status).toBe(400);
        expect(json).toMatchObject({
          errors: [
            {
              fields: [
                {
                  field: expect.stringMatching(/^(?:members|lines)\b/),
                  message:
                    "is too large: at most 4194304 bytes of other entities can be shown here",
                },
              ],
            },
          ],
        });
      }
      const made = await send(`${base}/teams`, "POST", { members: times(40, reference) });
      expect(made.status).toBe(201);
      const url = `${base}/teams/${String(made.json["teamId"])}`;
      const changed = await send(url, "PATCH", { members: times(200, reference) });
      expect(changed.status).toBe(400);
      expect((await send(url)).json["members"]).toHaveLength(40);
    });
  },
);

test.each(DATABASES)(
  "%s: a page of the default size that shows too much is a smaller one, and those that follow have the rest",
  async (database) => {
    await whileTeams(database, async (base) => {
      const { reference, grow } = await person(base);
      const body = { members: times(50, reference) };
      const made = [];
      for (let index = 0; index < 22; index += 1) {
        made.push(String((await send(`${base}/teams`, "POST", body)).json["teamId"]));
      }
      await grow();
      expect((await send(`${base}/teams?pageSize=100`)).status).toBe(400);
      const seen: string[] = [];
      let search = "";
      do {
        const { status, text, json } = await send(`${base}/teams${search}`);
        expect(status).toBe(200);
        expect(text.length).toBeLessThan(20_000_000);
        // A collection.
        const { results, itemCount, pageNumber, pageSize, pageCount } = json as unknown as Teams;
        expect({ itemCount, pageSize, pageCount }).toEqual({
          ...{ itemCount: 22, pageSize: 5, pageCount: 5 },
        });
        seen.push(...results.map(({ teamId }) => teamId));
        search = `?pageSize=${pageSize}&pageNumber=${pageNumber + 1}`;
      } while (seen.length < made.length);
      expect(seen).toEqual(made);
    });
  },
);

test.each(DATABASES)(
  "%s: an entity that has come to show more than a list can costs itself only, and can be mended",
  async (database) => {
    await whileTeams(database, async (base) => {
      const { reference, grow } = await person(base);
      const large = { members: times(700, reference), lines: times(700, { who: reference }) };
      const made = await send(`${base}/teams`, "POST", large);
      const small = await send(`${base}/teams`, "POST", {});
      await grow();
      const url = `${base}/teams/${String(made.json["teamId"])}`;
      const first = await send(`${base}/teams`);
      expect(first.json).toMatchObject({ results: [], itemCount: 2, pageSize: 1, pageCount: 2 });
      const second = await send(`${base}/teams?pageSize=1&pageNumber=2`);
      expect(second.json).toMatchObject({ results: [{ teamId: small.json["teamId"] }] });
      const mended = await send(url, "PATCH", { members: [], lines: [] });
      expect(mended.status).toBe(200);
      expect((await send(`${base}/teams`)).json["results"]).toHaveLength(2);
    });
  },
);

test.each(DATABASES)(
  "%s: what a change keeps counts, and what is stored can be sent back",
  async (database) => {
    await whileTeams(database, async (base) => {
      const { reference, grow } = await person(base);
      const made = await send(`${base}/teams`, "POST", { members: times(60, reference) });
      await grow();
      const url = `${base}/teams/${String(made.json["teamId"])}`;
      const lines = times(30, { who: reference });
      expect((await send(url, "PATCH", { lines })).status).toBe(400);
      const grown = await send(`${base}/teams`, "POST", {});
      const other = await person(base);
      const large = { members: times(500, other.reference), lines: [] };
      const team = `${base}/teams/${String(grown.json["teamId"])}`;
      expect((await send(team, "PUT", large)).status).toBe(200);
      await other.grow();
      expect((await send(team, "PUT", large)).status).toBe(200);
      const more = { ...large, members: times(501, other.reference) };
      expect((await send(team, "PUT", more)).status).toBe(400);
    });
  },
);

test.each(DATABASES)(
  "%s: a page shows no more than that of what a join reads, and of many different entities",
  async (database) => {
    await whileTeams(database, async (base) => {
      const { reference, grow } = await person(base);
      const card = Object.fromEntries(Object.keys(JOINED).map((name) => [name, reference]));
      for (let index = 0; index < 20; index += 1) {
        expect((await send(`${base}/cards`, "POST", card)).status).toBe(201);
      }
      await grow();
      const cards = await send(`${base}/cards`);
      expect(cards.json).toMatchObject({ pageSize: 10, pageCount: 2, itemCount: 20 });

      const people = [];
      for (let index = 0; index < 60; index += 1) people.push(await person(base));
      for (let index = 0; index < 20; index += 1) {
        const members = people.map((one) => one.reference);
        expect((await send(`${base}/teams`, "POST", { members })).status).toBe(201);
      }
      for (const one of people) await one.grow();
      const teams = await send(`${base}/teams`);
      expect(teams.json).toMatchObject({ pageSize: 4, pageCount: 5, itemCount: 20 });
    });
  },
);
