import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

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
const at = (plural: string, id: unknown): string => `/api/v1/${plural}/${String(id)}`;

/** A vault, and below it a child. */
async function below(token: string, plural: string, by = token) {
  const vault = await create(token, "/api/v1/vaults", { name: "x" });
  const child = await create(by, `${at("vaults", vault["vaultId"])}/${plural}`, {});
  return { vault: at("vaults", vault["vaultId"]), child };
}

const mine = await below(owner, "coins", keeper);
const kept = await below(keeper, "coins");
const coin = at("coins", mine.child["coinId"]);
const mark = await create(owner, `${coin}/marks`, { text: "red" });
const hidden = await create(keeper, `${at("coins", kept.child["coinId"])}/marks`, { text: "red" });

test("who owns a vault reads what belongs to what belongs to it, at every path", async () => {
  const seenBy = async (token: string, path: string): Promise<readonly unknown[]> => {
    const { json } = await send(token, "GET", path);
    expect(json["itemCount"]).toBe(resultsOf(json).length);
    return resultsOf(json).map(({ markId }) => markId);
  };
  const ids = [mark["markId"], hidden["markId"]];
  for (const list of ["marks", "marks?text=red", "marks?sort=text"]) {
    expect(await seenBy(owner, `/api/v1/${list}`)).toEqual(ids.slice(0, 1));
    expect(await seenBy(keeper, `/api/v1/${list}`)).toEqual(ids);
    expect(await seenBy(other, `/api/v1/${list}`)).toEqual([]);
    expect(await seenBy(owner, `${coin}/${list}`)).toEqual(ids.slice(0, 1));
  }
  expect((await send(owner, "GET", at("marks", ids[0]))).status).toBe(200);
  expectError(await send(owner, "GET", at("marks", ids[1])), 404, "MarkNotFoundMessage");
  expectError(await send(other, "GET", `${coin}/marks`), 404, "CoinNotFoundMessage");
});

test("what is asked of the parent is asked of the parent's parent", async () => {
  const path = at("marks", mark["markId"]);
  expect((await send(owner, "PATCH", path, { text: "blue" })).status).toBe(200);
  expect((await send(keeper, "PATCH", path, { text: "red" })).status).toBe(200);
  expectError(await send(other, "PATCH", path, { text: "x" }), 404, "MarkNotFoundMessage");
  expectError(await send(other, "POST", `${coin}/marks`, {}), 404, "CoinNotFoundMessage");
  const gone = await create(owner, `${coin}/marks`);
  expect((await send(owner, "DELETE", at("marks", gone["markId"]))).status).toBe(204);
});

test("a vault is deleted with all that may be done with as with the vault", async () => {
  const { vault, child } = await below(owner, "coins");
  const made = await create(keeper, `${at("coins", child["coinId"])}/marks`);
  expect((await send(owner, "DELETE", vault)).status).toBe(204);
  expect((await send(keeper, "GET", at("marks", made["markId"]))).status).toBe(404);
});

test("a vault is not deleted with what belongs to what belongs to it, and somebody else has made", async () => {
  const { vault, child } = await below(owner, "claims");
  const claim = at("claims", child["claimId"]);
  const own = await create(owner, `${claim}/scraps`);
  const theirs = await create(keeper, `${claim}/scraps`);
  expectError(await send(owner, "DELETE", vault), 403, "ForbiddenMessage");
  expectError(await send(owner, "DELETE", claim), 403, "ForbiddenMessage");
  expect((await send(owner, "GET", at("scraps", own["scrapId"]))).status).toBe(200);
  expect((await send(keeper, "DELETE", at("scraps", theirs["scrapId"]))).status).toBe(204);
  expect((await send(owner, "DELETE", vault)).status).toBe(204);
  expect((await send(owner, "GET", at("scraps", own["scrapId"]))).status).toBe(404);
});
