import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const service = await startSecured(server.url);
const owner = await tokenOf(keys, "owner");
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

test("a parent with a child that the caller may not delete is not deleted, nor is anything of it", async () => {
  const vault = await newVault(owner);
  const own = await create(owner, `${vault}/boxes`);
  const entry = await create(owner, `${vault}/entries`);
  const filed = await create(keeper, `${vault}/boxes`);
  const refused = await send(owner, "DELETE", vault);
  expect(expectError(refused, 403, "ForbiddenMessage").description).toBeUndefined();
  for (const path of [vault, at("boxes", own["boxId"]), at("entries", entry["entryId"])]) {
    expect((await send(owner, "GET", path)).status).toBe(200);
  }
  expect((await send(keeper, "DELETE", at("boxes", filed["boxId"]))).status).toBe(204);
  expect((await send(owner, "DELETE", vault)).status).toBe(204);
  expectError(await send(keeper, "GET", at("boxes", own["boxId"])), 404, "BoxNotFoundMessage");
});

test("who may delete the parent by a role needs the right to its children as well", async () => {
  const vault = await newVault(owner);
  const claim = await create(owner, `${vault}/claims`);
  expectError(await send(keeper, "DELETE", vault), 403, "ForbiddenMessage");
  expect((await send(owner, "DELETE", at("claims", claim["claimId"]))).status).toBe(204);
  expect((await send(keeper, "DELETE", vault)).status).toBe(204);
});

test("children go along where the schema says so, and where it implies the right to them", async () => {
  const vault = await newVault(owner);
  await create(keeper, `${vault}/coins`);
  await create(keeper, `${vault}/entries`);
  expect((await send(owner, "DELETE", vault)).status).toBe(204);
});

test("code that gives things is not asked where a role suffices", async () => {
  const dossier = await create(owner, "/api/v1/dossiers", { name: "a" });
  const path = at("dossiers", dossier["dossierId"]);
  await create(owner, `${path}/sheets`, { text: "a" });
  const own = (await customCode("dossiers", "secured")) as unknown as { scope: () => null };
  const asked: unknown[] = [];
  own.scope = () => {
    asked.push(1);
    return null;
  };
  expect((await send(keeper, "DELETE", path)).status).toBe(204);
  expect(asked).toEqual([]);
});

test("a parent whose children nobody but a role may delete", async () => {
  const plaque = await create(owner, "/api/v1/plaques", { text: "a" });
  const path = at("plaques", plaque["plaqueId"]);
  const screw = await create(owner, `${path}/screws`, { size: 1 });
  expectError(await send(owner, "DELETE", path), 403, "ForbiddenMessage");
  expect((await send(keeper, "DELETE", at("screws", screw["screwId"]))).status).toBe(204);
  expect((await send(owner, "DELETE", path)).status).toBe(204);
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
