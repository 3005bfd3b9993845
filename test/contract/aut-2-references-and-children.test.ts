import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const VAULTS = "/api/v1/vaults";
const LABELS = "/api/v1/labels";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const service = await startSecured(server.url);
const owner = await tokenOf(keys, "owner");
const other = await tokenOf(keys, "other");
const keeper = await tokenOf(keys, "keeper", ["keeper"]);

const send = async (token: string | null, method: string, path: string, body?: JsonObject) =>
  sendAs(service, token, [method, path], body);
const create = async (token: string, path: string, body: JsonObject): Promise<JsonObject> => {
  const answer = await send(token, "POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};

const vault = await create(owner, VAULTS, { name: "gold" });
const shared = await create(keeper, VAULTS, { name: "silver" });
const { vaultId = "" } = vault;
const boxes = `${VAULTS}/${String(vaultId)}/boxes`;

test("a reference to what the caller may not read is one to nothing", async () => {
  for (const [token, status] of [
    [owner, 201],
    [keeper, 201],
    [other, 400],
  ] as const) {
    const alone = await send(token, "POST", LABELS, { vault: { vaultId } });
    expect(alone.status).toBe(status);
    const listed = await send(token, "POST", LABELS, { others: [{ vaultId }] });
    expect(listed.status).toBe(status);
    if (status === 201) continue;
    const fields = expectFields(alone, "vault.vaultId");
    expect(fields["vault.vaultId"]).toBe("does not refer to an existing vault");
    expectFields(listed, "others[0].vaultId");
  }
});

test("who may read what refers sees what it embeds", async () => {
  const label = await create(owner, LABELS, { vault: { vaultId } });
  const path = `${LABELS}/${String(label["labelId"])}`;
  const read = await send(other, "GET", path);
  expect(read.json["vault"]).toEqual({ vaultId, name: "gold" });
});

test("who may not read what an entity refers to can change the rest of it, and keep the reference", async () => {
  const label = await create(owner, LABELS, { vault: { vaultId } });
  const path = `${LABELS}/${String(label["labelId"])}`;
  expect((await send(other, "PATCH", path, { others: [] })).status).toBe(200);
  const { vaultId: unread = "" } = shared;
  const taken = await send(other, "PATCH", path, { vault: { vaultId: unread } });
  expectFields(taken, "vault.vaultId");
  const back = await send(other, "PUT", path, (await send(other, "GET", path)).json);
  expect(back.json["vault"]).toEqual({ vaultId, name: "gold" });
  expect((await send(other, "PATCH", path, { vault: null })).status).toBe(200);
});

test("children of a parent that the caller may not read are not there: 404, at every path", async () => {
  for (const path of [boxes, `${boxes}/redones`]) {
    expectError(await send(other, "GET", path), 404, "VaultNotFoundMessage");
    expect((await send(owner, "GET", path)).status).toBe(200);
    expect((await send(keeper, "GET", path)).status).toBe(200);
    expectError(await send(null, "GET", path), 401, "UnauthorizedMessage");
  }
  expectError(await send(other, "POST", boxes, { label: "x" }), 404, "VaultNotFoundMessage");
  expectError(await send(null, "POST", boxes, { label: "x" }), 401, "UnauthorizedMessage");
});

test("a list of children shows and counts what the caller may read, the same under the parent and at the root", async () => {
  const sharedBoxes = `${VAULTS}/${String(shared["vaultId"])}/boxes`;
  const mine = await create(keeper, sharedBoxes, { label: "red" });
  const own = await create(owner, boxes, { label: "red" });
  const seenBy = async (token: string, path: string) => {
    const { json } = await send(token, "GET", path);
    expect(json["itemCount"]).toBe(resultsOf(json).length);
    return resultsOf(json).map(({ boxId }) => boxId);
  };
  for (const suffix of ["", "/redones", "?label=red"]) {
    expect(await seenBy(owner, `/api/v1/boxes${suffix}`)).toEqual([own["boxId"]]);
    expect(await seenBy(keeper, `/api/v1/boxes${suffix}`)).toEqual([mine["boxId"], own["boxId"]]);
    expect(await seenBy(other, `/api/v1/boxes${suffix}`)).toEqual([]);
    expect(await seenBy(owner, `${boxes}${suffix}`)).toEqual([own["boxId"]]);
    expect(await seenBy(keeper, `${boxes}${suffix}`)).toEqual([own["boxId"]]);
  }
  const path = `/api/v1/boxes/${String(own["boxId"])}`;
  expectError(await send(other, "GET", path), 404, "BoxNotFoundMessage");
  expectError(await send(keeper, "PATCH", path, { label: "blue" }), 403, "ForbiddenMessage");
});
