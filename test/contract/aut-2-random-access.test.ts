import { expect, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";
import { writeTree } from "../support/read-tree.js";
import { transpileService } from "../support/transpile.js";
import type { Answer, JsonObject } from "./support/client.js";
import { DATABASE } from "./support/database.js";
import { expectFields, resultsOf } from "./support/errors.js";
import {
  may,
  sampleHouses,
  type Asking,
  type Houses,
  type Known,
  type Plural,
} from "./support/random-houses.js";
import { AUDIENCE, ISSUER, newKeys, sendAs, startKeyServer, tokenOf } from "./support/secured.js";
import { startService, type TestService } from "./support/service.js";

/** More of them, from another seed, for whoever attacks. */
const SERVICES = Number(process.env["ACCESS_SERVICES"] ?? 2);
const SEED = Number(process.env["ACCESS_SEED"] ?? 20_261_121);
const NOWHERE = "0192aaaa-0000-7000-8000-000000000000";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const SAMPLES = await sampleHouses(SERVICES, SEED);

const CALLERS: readonly Asking[] = [
  null,
  { subject: "first", roles: [] },
  { subject: "second", roles: [] },
  { subject: "clerk", roles: ["clerk"] },
  { subject: "admin", roles: ["admin"] },
];

/** One service, what the model knows to be in it, and who asks. */
interface World {
  readonly schema: Houses;
  readonly service: TestService;
  readonly houses: Known[];
  readonly rooms: Known[];
  readonly notes: Known[];
}

type Send = (method: string, path: string, body?: JsonObject) => Promise<Answer>;

const at = (plural: string, id = ""): string => `/api/v1/${plural}${id === "" ? "" : `/${id}`}`;
const ids = (known: readonly Known[]): string[] => known.map(({ id }) => id).sort();

async function senderFor({ service }: World, asking: Asking): Promise<Send> {
  const token = asking === null ? null : await tokenOf(keys, asking.subject, asking.roles);
  return async (method, path, body) => sendAs(service, token, [method, path], body);
}

async function start(index: number): Promise<World> {
  const { schema, outputs } = SAMPLES[index] ?? expect.fail("too few schemas are not refused");
  const name = `random/access-${DATABASE}-${index}`;
  const folder = serviceFolder(name);
  writeTree(folder, outputs);
  await transpileService(folder);
  const settings = { issuer: ISSUER, audience: AUDIENCE, roles: "realm_access.roles" };
  const service = await startService(name, {
    authentication: { scheme: "bearer", keys: server.url, ...settings },
  });
  return { schema, service, houses: [], rooms: [], notes: [] };
}

/** Everybody makes a house, then a room in each house that they may read, and a note about it. */
async function fill(world: World): Promise<void> {
  const { schema, houses, rooms, notes } = world;
  const makers = CALLERS.flatMap((asking) => asking ?? []);
  for (const asking of makers) {
    const send = await senderFor(world, asking);
    const name = `of ${asking.subject}`;
    const made = await send("POST", at("houses"), { name, code: asking.subject });
    expect(made.status, made.text).toBe(201);
    houses.push({ id: String(made.json["houseId"]), maker: asking.subject, house: null });
  }
  for (const asking of makers) {
    const send = await senderFor(world, asking);
    for (const house of houses) {
      const isSeen = may(schema, ["houses", "read"], house, asking);
      const room = await send("POST", `${at("houses", house.id)}/rooms`, { kind: "red" });
      expect(room.status, room.text).toBe(isSeen ? 201 : 404);
      const note = await send("POST", at("notes"), { house: { houseId: house.id } });
      expect(note.status, note.text).toBe(isSeen ? 201 : 400);
      if (!isSeen) {
        const none = await send("POST", at("notes"), { house: { houseId: NOWHERE } });
        expect(expectFields(note, "house.houseId")).toEqual(expectFields(none, "house.houseId"));
        continue;
      }
      const maker = asking.subject;
      rooms.push({ id: String(room.json["roomId"]), maker, house });
      notes.push({ id: String(note.json["noteId"]), maker, house });
    }
  }
}

/** A list is what the model says, in its results and in its count, also where a page does not tell that. */
async function expectList(send: Send, path: string, wanted: readonly Known[], id: string) {
  const separator = path.includes("?") ? "&" : "?";
  const all = await send("GET", `${path}${separator}pageSize=100`);
  if (all.status === 401 || all.status === 403) return expect(wanted).toEqual([]);
  expect(all.status, all.text).toBe(200);
  expect(
    resultsOf(all.json)
      .map((one) => String(one[id]))
      .sort(),
    path,
  ).toEqual(ids(wanted));
  expect(all.json["itemCount"]).toBe(wanted.length);
  const one = await send("GET", `${path}${separator}pageSize=1`);
  expect(one.json["itemCount"], path).toBe(wanted.length);
}

const PLACES = [
  ["houses", "houses", "houseId"],
  ["rooms", "rooms", "roomId"],
  ["views", "rooms", "roomId"],
  ["notes", "notes", "noteId"],
] as const;

async function expectPaths(world: World, asking: Asking): Promise<void> {
  const { schema } = world;
  const send = await senderFor(world, asking);
  const seen = (plural: Plural, of: readonly Known[]): Known[] =>
    of.filter((one) => may(schema, [plural, "read"], one, asking));
  for (const [plural, kept, id] of PLACES) {
    await expectList(send, at(plural), seen(plural, world[kept]), id);
    for (const one of world[kept]) await expectSingle(world, [plural, one], asking, send);
  }
  await expectList(send, at("rooms/redones"), seen("rooms", world.rooms), "roomId");
  for (const house of world.houses) {
    const isSeen = may(schema, ["houses", "read"], house, asking);
    const rooms = seen("rooms", world.rooms).filter((room) => room.house === house);
    for (const rest of ["rooms", "rooms/redones"]) {
      const path = `${at("houses", house.id)}/${rest}`;
      if (isSeen) await expectList(send, path, rooms, "roomId");
      else expect([401, 403, 404], path).toContain((await send("GET", path)).status);
    }
    const told = seen("notes", world.notes).filter((note) => note.house === house);
    const name = encodeURIComponent(`of ${house.maker}`);
    await expectList(send, `${at("notes")}?house.name=${name}`, told, "noteId");
  }
}

async function expectSingle(
  { schema }: World,
  [plural, one]: readonly [Plural, Known],
  asking: Asking,
  send: Send,
): Promise<void> {
  const read = await send("GET", at(plural, one.id));
  if (!may(schema, [plural, "read"], one, asking)) {
    expect(asking === null ? [401, 404] : [404], read.text).toContain(read.status);
    const changed = await send("PATCH", at(plural, one.id), {});
    expect(asking === null ? [401, 404] : [404]).toContain(changed.status);
    return;
  }
  expect(read.status, read.text).toBe(200);
  const isUpdated = may(schema, [plural, "update"], one, asking);
  const refused = asking === null ? 401 : 403;
  const changed = await send("PATCH", at(plural, one.id), {});
  expect([isUpdated ? 200 : refused, 403], changed.text).toContain(changed.status);
  if (isUpdated) expect(changed.status).toBe(200);
  // What is embedded is told by its own path as well, unless the schema discloses it.
  const { name } = Object(read.json["house"]) as JsonObject;
  if (name === undefined || one.house === null || schema.disclose) return;
  expect(may(schema, ["houses", "read"], one.house, asking), "what is embedded").toBe(true);
}

/** A deletion is refused where the model says so; what goes takes its rooms along. */
async function expectDeletion(world: World, house: Known, asking: Asking): Promise<boolean> {
  const { schema, rooms, notes } = world;
  const send = await senderFor(world, asking);
  const answer = await send("DELETE", at("houses", house.id));
  const refused = asking === null ? [401, 403] : [403];
  if (!may(schema, ["houses", "read"], house, asking)) {
    expect(asking === null ? [401, 404] : [404], answer.text).toContain(answer.status);
    return false;
  }
  const isTaken = (schema.access.rooms?.delete ?? []).includes("parent");
  const isHeld = rooms
    .filter((room) => room.house === house)
    .some((room) => !mayRemove(counted(schema), ["rooms", room], asking));
  if (!may(schema, ["houses", "delete"], house, asking) || (isHeld && !isTaken)) {
    expect(refused, answer.text).toContain(answer.status);
    return false;
  }
  if (notes.some((note) => note.house === house)) {
    expect(answer.status, answer.text).toBe(409);
    if (answer.text.includes("notes")) {
      expect(notes.every((note) => may(schema, ["notes", "read"], note, asking))).toBe(true);
    }
    return false;
  }
  expect(answer.status, answer.text).toBe(204);
  return true;
}

/** A deletion of a parent does not ask the service's own code about each child. */
function counted(schema: Houses): Houses {
  const { rooms } = schema.access;
  if (rooms === null) return schema;
  const entries = Object.entries(rooms).map(
    ([operation, grants]) => [operation, grants.filter((one) => one !== "custom")] as const,
  );
  return { ...schema, access: { ...schema.access, rooms: Object.fromEntries(entries) } };
}

test.each(SAMPLES.map((_, index) => index))(
  "every path of random schema %i shows what its access says, and nothing else",
  async (index) => {
    const world = await start(index);
    await fill(world);
    for (const asking of CALLERS) await expectPaths(world, asking);
    // Twice: with the notes that refer to the houses, and without them.
    await deleteHouses(world);
    await deleteNotes(world);
    await deleteHouses(world);
  },
);

async function deleteHouses(world: World): Promise<void> {
  for (const house of [...world.houses]) {
    for (const asking of CALLERS) {
      if (!(await expectDeletion(world, house, asking))) continue;
      remove(world.houses, (one) => one === house);
      remove(world.rooms, (room) => room.house === house);
      break;
    }
  }
  for (const asking of CALLERS) await expectPathsAfter(world, asking);
}

async function deleteNotes(world: World): Promise<void> {
  const { schema, notes } = world;
  for (const note of [...notes]) {
    const asking = CALLERS.find((one) => mayRemove(schema, ["notes", note], one));
    if (asking === undefined) continue;
    const send = await senderFor(world, asking);
    expect((await send("DELETE", at("notes", note.id))).status).toBe(204);
    remove(notes, (one) => one === note);
  }
}

function remove(known: Known[], isGone: (one: Known) => boolean): void {
  known.splice(0, known.length, ...known.filter((one) => !isGone(one)));
}

function mayRemove(
  schema: Houses,
  [plural, one]: readonly [Plural, Known],
  asking: Asking,
): boolean {
  return (["read", "delete"] as const).every((operation) =>
    may(schema, [plural, operation], one, asking),
  );
}

/** What has gone is gone at every path. */
async function expectPathsAfter(world: World, asking: Asking): Promise<void> {
  const send = await senderFor(world, asking);
  const seen = world.rooms.filter((one) => may(world.schema, ["rooms", "read"], one, asking));
  await expectList(send, at("rooms"), seen, "roomId");
}
