import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const service = await startSecured(server.url);
const owner = await tokenOf(keys, "owner");
const keeper = await tokenOf(keys, "keeper", ["keeper"]);

const send = async (token: string, method: string, path: string, body?: JsonObject) =>
  sendAs(service, token, [method, path], body);
const create = async (token: string, path: string, body: JsonObject = {}): Promise<JsonObject> => {
  const answer = await send(token, "POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const newVault = async (token: string): Promise<string> =>
  `/api/v1/vaults/${String((await create(token, "/api/v1/vaults"))["vaultId"])}`;

test("a unique clash tells that the value is taken, and nothing of what has it", async () => {
  const hidden = await create(keeper, `${await newVault(keeper)}/coins`, { serial: "one" });
  const own = await newVault(owner);
  const clash = await send(owner, "POST", `${own}/coins`, { serial: "one" });
  const error = expectError(clash, 409, "CoinAlreadyExistsMessage");
  expect(error.description).toBe("There is another coin with the same serial.");
  expect(clash.text).not.toContain(String(hidden["coinId"]));
});

test("who may not read what refers is told that something does, not what", async () => {
  const vault = await newVault(owner);
  const coin = await create(owner, `${vault}/coins`);
  const twin = { twin: { coinId: coin["coinId"] ?? "" } };
  await create(keeper, `${await newVault(keeper)}/coins`, twin);
  const path = `/api/v1/coins/${String(coin["coinId"])}`;
  const error = expectError(await send(owner, "DELETE", path), 409, "CoinInUseMessage");
  expect(error.description).toBe("It cannot be deleted while others refer to it.");
  const whole = expectError(await send(owner, "DELETE", vault), 409, "VaultInUseMessage");
  expect(whole.description).toBe("It cannot be deleted while others refer to its coins.");
});

test("what everybody may read who may delete is named", async () => {
  const vault = await create(owner, "/api/v1/vaults");
  await create(owner, "/api/v1/labels", { vault: { vaultId: vault["vaultId"] ?? "" } });
  const path = `/api/v1/vaults/${String(vault["vaultId"])}`;
  const error = expectError(await send(owner, "DELETE", path), 409, "VaultInUseMessage");
  expect(error.description).toBe("It cannot be deleted while labels refer to it.");
});

test("what may not be read is answered as what is not there, before a body is looked at", async () => {
  const made = await create(owner, "/api/v1/parcels", { label: "a", status: "packed" });
  const [missing, id] = ["0192aaaa-0000-7000-8000-000000000000", String(made["parcelId"])];
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const body = method.startsWith("P") ? { nosuch: 1 } : undefined;
    const [hidden, absent] = await Promise.all(
      [id, missing].map((one) => send(keeper, method, `/api/v1/parcels/${one}`, body)),
    );
    expect(hidden?.status).toBe(404);
    expect(hidden?.text.replace(id, missing)).toBe(absent?.text);
  }
});
