import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const VAULTS = "/api/v1/vaults";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const service = await startSecured(server.url);
const owner = await tokenOf(keys, "owner");
const other = await tokenOf(keys, "other");
const keeper = await tokenOf(keys, "keeper", ["keeper"]);

const send = async (token: string | null, method: string, path: string, body?: JsonObject) =>
  sendAs(service, token, [method, path], body);
const create = async (token: string, path: string, body: JsonObject = {}): Promise<JsonObject> => {
  const answer = await send(token, "POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const newVault = async (token: string): Promise<JsonObject> => create(token, VAULTS, { name: "x" });
const under = ({ vaultId = "" }: JsonObject, rest: string): string =>
  `${VAULTS}/${String(vaultId)}/${rest}`;
const at = (plural: string, id: unknown): string => `/api/v1/${plural}/${String(id)}`;

const mine = await newVault(owner);
const kept = await newVault(keeper);

test("a child that says nothing of access is read by whoever reads its parent, at every path", async () => {
  const own = await create(owner, under(mine, "entries"), { text: "red" });
  const filed = await create(keeper, under(mine, "entries"), { text: "red" });
  const hidden = await create(keeper, under(kept, "entries"), { text: "red" });
  const lists = ["entries", "entries/redones", "entries?text=red", "entries?sort=-vault.name"];
  const seenBy = async (token: string, path: string): Promise<readonly unknown[]> => {
    const { json } = await send(token, "GET", path);
    expect(json["itemCount"]).toBe(resultsOf(json).length);
    return resultsOf(json).map(({ entryId }) => entryId);
  };
  const ids = [own, filed, hidden].map(({ entryId }) => entryId);
  for (const list of lists) {
    expect(await seenBy(owner, `/api/v1/${list}`)).toEqual(ids.slice(0, 2));
    expect(await seenBy(keeper, `/api/v1/${list}`)).toEqual(ids);
    expect(await seenBy(other, `/api/v1/${list}`)).toEqual([]);
    expect(await seenBy(owner, under(mine, list))).toEqual(ids.slice(0, 2));
    expectError(await send(other, "GET", under(mine, list)), 404, "VaultNotFoundMessage");
    expect((await send(null, "GET", `/api/v1/${list}`)).status).toBe(401);
  }
  for (const page of [1, 2]) {
    const { json } = await send(owner, "GET", `/api/v1/entries?pageSize=1&pageNumber=${page}`);
    expect(json).toMatchObject({ itemCount: 2, pageCount: 2 });
  }
  for (const [token, statuses] of [
    [owner, [200, 200, 404]],
    [keeper, [200, 200, 200]],
    [other, [404, 404, 404]],
  ] as const) {
    for (const [index, id] of ids.entries()) {
      expect((await send(token, "GET", at("entries", id))).status).toBe(statuses[index]);
    }
  }
});

test("what may not be read is not there to be changed or deleted", async () => {
  const { entryId } = await create(owner, under(mine, "entries"), { text: "red" });
  const path = at("entries", entryId);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const body = method === "DELETE" ? undefined : { text: "x" };
    expectError(await send(other, method, path, body), 404, "EntryNotFoundMessage");
  }
  // What is not said is open to everybody who is known, and who may see it.
  expect((await send(keeper, "PATCH", path, { text: "x" })).status).toBe(200);
  expect((await send(owner, "DELETE", path)).status).toBe(204);
});

test("everything with the child that may be done with the parent", async () => {
  const filed = await create(keeper, under(mine, "coins"), { label: "a" });
  const hidden = await create(keeper, under(kept, "coins"), { label: "a" });
  const path = at("coins", filed["coinId"]);
  expect((await send(owner, "PATCH", path, { label: "b" })).status).toBe(200);
  expect((await send(owner, "PATCH", at("coins", hidden["coinId"]), { label: "b" })).status).toBe(
    404,
  );
  expect((await send(owner, "GET", "/api/v1/coins")).json["itemCount"]).toBe(1);
  expect((await send(other, "GET", "/api/v1/coins")).json["itemCount"]).toBe(0);
  expect((await send(owner, "DELETE", path)).status).toBe(204);
});

test("a child is created by whoever may change its parent, before a body is looked at", async () => {
  const plaque = await create(keeper, "/api/v1/plaques", { text: "seen by everybody" });
  const screws = `/api/v1/plaques/${String(plaque["plaqueId"])}/screws`;
  expectError(await send(owner, "POST", screws, { nosuch: 1 }), 403, "ForbiddenMessage");
  expectError(await send(null, "POST", screws, {}), 401, "UnauthorizedMessage");
  expect((await send(keeper, "POST", screws, { size: 1 })).status).toBe(201);
  const own = await create(owner, "/api/v1/plaques", { text: "mine" });
  const ownScrews = `/api/v1/plaques/${String(own["plaqueId"])}/screws`;
  const made = await create(owner, ownScrews, { size: 1 });
  expectFields(await send(owner, "POST", ownScrews, { nosuch: 1 }), "nosuch");
  // Everybody reads both, and who made the plaque changes what is on it.
  const path = at("screws", made["screwId"]);
  expect((await send(null, "GET", path)).status).toBe(200);
  expectError(await send(keeper, "PATCH", path, { size: 2 }), 403, "ForbiddenMessage");
  expectError(await send(null, "PATCH", path, { size: 2 }), 401, "UnauthorizedMessage");
  expect((await send(owner, "PATCH", path, { size: 2 })).status).toBe(200);
});

test("either the owner of a child or the owner of its parent", async () => {
  const shared = await newVault(owner);
  const own = await create(owner, under(shared, "claims"), { text: "a" });
  const filed = await create(keeper, under(shared, "claims"), { text: "b" });
  const gone = await tokenOf(keys, "keeper");
  // Who has lost a role keeps what they have made.
  expect((await send(gone, "GET", at("claims", filed["claimId"]))).status).toBe(200);
  expect((await send(gone, "GET", at("claims", own["claimId"]))).status).toBe(404);
  const { json } = await send(gone, "GET", "/api/v1/claims");
  expect(resultsOf(json).map(({ claimId }) => claimId)).toEqual([filed["claimId"]]);
  expect(json["itemCount"]).toBe(1);
  const seen = await send(owner, "GET", "/api/v1/claims");
  expect(resultsOf(seen.json).map(({ claimId }) => claimId)).toEqual([
    own["claimId"],
    filed["claimId"],
  ]);
  const path = at("claims", filed["claimId"]);
  expect((await send(owner, "PATCH", path, { text: "c" })).status).toBe(200);
  expectError(await send(owner, "DELETE", path), 403, "ForbiddenMessage");
});

test("a representation that says nothing of access is as closed as what it represents", async () => {
  const shared = await newVault(owner);
  const own = await create(owner, under(shared, "claims"), { text: "a" });
  const path = at("openclaims", own["claimId"]);
  expect((await send(owner, "GET", path)).status).toBe(200);
  expectError(await send(other, "GET", path), 404, "ClaimNotFoundMessage");
  expect((await send(other, "GET", "/api/v1/openclaims")).json["itemCount"]).toBe(0);
  expectError(await send(other, "PATCH", path, { subject: "x" }), 404, "ClaimNotFoundMessage");
  expectError(await send(keeper, "DELETE", path), 403, "ForbiddenMessage");
  expect((await send(keeper, "PATCH", path, { subject: "x" })).status).toBe(200);
});

test("a reference to a child that the caller may not read is one to nothing", async () => {
  const hidden = await create(keeper, under(kept, "coins"), { label: "a" });
  const coin = (coinId: unknown): JsonObject => ({ twin: { coinId: String(coinId) } });
  const refused = await send(owner, "POST", under(mine, "coins"), coin(hidden["coinId"]));
  const nowhere = coin("0192aaaa-0000-7000-8000-000000000000");
  const absent = await send(owner, "POST", under(mine, "coins"), nowhere);
  expect(expectFields(refused, "twin.coinId")).toEqual(expectFields(absent, "twin.coinId"));
  const filed = await create(keeper, under(mine, "coins"), { label: "a" });
  await create(owner, under(mine, "coins"), coin(filed["coinId"]));
});
