import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields } from "./support/errors.js";
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
const newVault = async (token: string): Promise<string> =>
  `/api/v1/vaults/${String((await create(token, "/api/v1/vaults"))["vaultId"])}`;
const at = (plural: string, id: unknown): string => `/api/v1/${plural}/${String(id)}`;

test("a child is created by whoever may change its parent, before a body is looked at", async () => {
  const plaque = await create(keeper, "/api/v1/plaques", { text: "seen by everybody" });
  const screws = `${at("plaques", plaque["plaqueId"])}/screws`;
  expectError(await send(owner, "POST", screws, { nosuch: 1 }), 403, "ForbiddenMessage");
  expectError(await send(null, "POST", screws, {}), 401, "UnauthorizedMessage");
  expect((await send(keeper, "POST", screws, { size: 1 })).status).toBe(201);
  const own = await create(owner, "/api/v1/plaques", { text: "mine" });
  const ownScrews = `${at("plaques", own["plaqueId"])}/screws`;
  expectFields(await send(owner, "POST", ownScrews, { nosuch: 1 }), "nosuch");
});

test("what belongs to what belongs to a vault is created by whoever owns that", async () => {
  const coin = await create(keeper, `${await newVault(owner)}/coins`);
  const marks = `${at("coins", coin["coinId"])}/marks`;
  const mark = at("marks", (await create(owner, marks))["markId"]);
  expectError(await send(other, "POST", marks, {}), 404, "CoinNotFoundMessage");
  expect((await send(owner, "PATCH", mark, { text: "blue" })).status).toBe(200);
  expectError(await send(other, "PATCH", mark, { text: "x" }), 404, "MarkNotFoundMessage");
  expect((await send(owner, "DELETE", mark)).status).toBe(204);
});

test("who may delete the parent by a role needs the right to its children as well", async () => {
  const vault = await newVault(owner);
  const claim = await create(owner, `${vault}/claims`);
  expectError(await send(keeper, "DELETE", vault), 403, "ForbiddenMessage");
  expect((await send(owner, "DELETE", at("claims", claim["claimId"]))).status).toBe(204);
  expect((await send(keeper, "DELETE", vault)).status).toBe(204);
});

test("a parent whose children nobody but a role may delete", async () => {
  const plaque = await create(owner, "/api/v1/plaques", { text: "a" });
  const path = at("plaques", plaque["plaqueId"]);
  const screw = await create(owner, `${path}/screws`, { size: 1 });
  expectError(await send(owner, "DELETE", path), 403, "ForbiddenMessage");
  expect((await send(keeper, "DELETE", at("screws", screw["screwId"]))).status).toBe(204);
  expect((await send(owner, "DELETE", path)).status).toBe(204);
});

const FORBIDDEN = { errors: [{ type: "ForbiddenMessage", message: "This is not allowed." }] };

test("a refusal names the children that keep a parent to a caller who may read them", async () => {
  const plaque = await create(owner, "/api/v1/plaques", { text: "a" });
  const path = at("plaques", plaque["plaqueId"]);
  await create(owner, `${path}/screws`, { size: 1 });
  const error = expectError(await send(owner, "DELETE", path), 403, "ForbiddenMessage");
  expect(error.description).toBe(
    "Its screws would be deleted as well, and the caller may not delete them.",
  );
  const stranger = await send(other, "DELETE", path);
  expect({ status: stranger.status, json: stranger.json }).toEqual({
    status: 403,
    json: FORBIDDEN,
  });
});

test("a refusal names children at every level below", async () => {
  const vault = await newVault(owner);
  const claim = at("claims", (await create(owner, `${vault}/claims`))["claimId"]);
  await create(keeper, `${claim}/scraps`);
  const error = expectError(await send(owner, "DELETE", vault), 403, "ForbiddenMessage");
  expect(error.description).toBe(
    "Its scraps would be deleted as well, and the caller may not delete them.",
  );
});

test("a refusal names no children that the caller may not read, also next to those that it may", async () => {
  const vault = await newVault(owner);
  await create(keeper, `${vault}/boxes`);
  const hidden = await send(owner, "DELETE", vault);
  expect({ status: hidden.status, json: hidden.json }).toEqual({ status: 403, json: FORBIDDEN });
  await create(owner, `${vault}/boxes`);
  expect((await send(owner, "DELETE", vault)).text).toBe(hidden.text);
  const seen = expectError(await send(keeper, "DELETE", vault), 403, "ForbiddenMessage");
  expect(seen.description).toContain("boxes");
  await create(keeper, `${vault}/claims`);
  const both = await send(owner, "DELETE", vault);
  expect(both.text).not.toContain("boxes");
  expect(expectError(both, 403, "ForbiddenMessage").description).toContain("claims");
});

test("a vault is not deleted with what belongs to what belongs to it, and somebody else has made", async () => {
  const vault = await newVault(owner);
  const claim = at("claims", (await create(owner, `${vault}/claims`))["claimId"]);
  const own = await create(owner, `${claim}/scraps`);
  const theirs = await create(keeper, `${claim}/scraps`);
  expectError(await send(owner, "DELETE", vault), 403, "ForbiddenMessage");
  expectError(await send(owner, "DELETE", claim), 403, "ForbiddenMessage");
  expect((await send(owner, "GET", at("scraps", own["scrapId"]))).status).toBe(200);
  expect((await send(keeper, "DELETE", at("scraps", theirs["scrapId"]))).status).toBe(204);
  expect((await send(owner, "DELETE", vault)).status).toBe(204);
  expect((await send(owner, "GET", at("scraps", own["scrapId"]))).status).toBe(404);
});

test("no child of somebody else's goes, whoever creates some while the parent is deleted", async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const vault = await newVault(owner);
    await create(owner, `${vault}/boxes`);
    const [deleted, made] = await Promise.all([
      send(owner, "DELETE", vault),
      send(keeper, "POST", `${vault}/boxes`, {}),
    ]);
    if (made.status === 201) {
      expect(deleted.status, deleted.text).toBe(403);
      expect((await send(keeper, "GET", at("boxes", made.json["boxId"]))).status).toBe(200);
    } else {
      expectError(made, 404, "VaultNotFoundMessage");
      expect(deleted.status).toBe(204);
    }
  }
});
