import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const vault = await startSecured(server.url);

test("access is its own: lists show and count what the caller may read here", async () => {
  const owner = await tokenOf(keys, "owner");
  const courier = await tokenOf(keys, "courier", ["courier"]);
  const clerk = await tokenOf(keys, "clerk", ["clerk"]);
  const sender = await tokenOf(keys, "sender", ["sender"]);
  const parcel = await sendAs(vault, owner, ["POST", "/api/v1/parcels"], { label: "a" });
  const waiting = "/api/v1/waitingparcels";
  const path = `${waiting}/${String(parcel.json["parcelId"])}`;
  const status = async (token: string | null, method: string, at = path, body?: JsonObject) =>
    (await sendAs(vault, token, [method, at], body)).status;
  const count = async (token: string) =>
    (await sendAs(vault, token, ["GET", waiting])).json["itemCount"];

  expect(await count(courier)).toBe(1);
  expect(await count(owner)).toBe(1);
  expect(await count(clerk)).toBe(0);
  expect((await sendAs(vault, clerk, ["GET", `${waiting}/bylabel`])).json["itemCount"]).toBe(0);
  expect(await status(courier, "GET")).toBe(200);
  // The courier may not read the parcel itself, and the clerk not the waiting one.
  expect(await status(courier, "GET", path.replace("waitingparcels", "parcels"))).toBe(404);
  expect(await status(clerk, "GET")).toBe(404);
  expect(await status(null, "GET")).toBe(401);
  expect(await status(owner, "PATCH", path, { label: "b" })).toBe(403);
  expect(await status(courier, "DELETE")).toBe(403);
  expect(await status(courier, "POST", waiting, { label: "x" })).toBe(403);
  expect(await status(sender, "POST", waiting, { label: "x" })).toBe(201);
  expect(await status(courier, "PATCH", path, { state: "sent" })).toBe(200);
  expect(await status(owner, "GET")).toBe(404);
  expect(await status(owner, "DELETE")).toBe(404);
  expect(await count(owner)).toBe(0);
});
