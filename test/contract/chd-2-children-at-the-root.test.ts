import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { CONVOYS, newConvoy, refTo, under, WAGONS } from "./support/convoys.js";
import { customCode } from "./support/custom-code.js";
import { expectFields } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const wagonPath = (wagon: JsonObject): string => `${WAGONS}/${String(wagon["wagonId"])}`;

test("a child is created under its parent, and its Location is at the root", async () => {
  const { convoy } = await newConvoy(service);
  const answer = await service.send("POST", under(convoy), { body: { label: "first" } });
  expect(answer.status).toBe(201);
  expect(answer.headers["location"]).toBe(`${service.url}${wagonPath(answer.json)}`);
  expect(await service.read(wagonPath(answer.json))).toEqual(answer.json);
});

test("its body holds the parent as a reference, with what the schema embeds", async () => {
  const { convoy, wagons } = await newConvoy(service, 1);
  expect(wagons[0]?.["convoy"]).toEqual({ convoyId: convoy["convoyId"], name: "coal" });
});

test("the parent may be named in the body, in any case and with what is embedded", async () => {
  const { convoy } = await newConvoy(service);
  const convoyId = String(convoy["convoyId"]).toUpperCase();
  const made = await service.create(under(convoy), { convoy: { convoyId, name: "ignored" } });
  expect(made["convoy"]).toEqual({ convoyId: convoy["convoyId"], name: "coal" });
});

test("another parent in the body is a validation error, whether there is one or not", async () => {
  const { convoy } = await newConvoy(service);
  const other = await newConvoy(service);
  const create = async (body: JsonObject) => service.send("POST", under(convoy), { body });
  const wrong = { convoy: refTo(other.convoy, "convoyId") };
  expect(expectFields(await create(wrong), "convoy.convoyId")["convoy.convoyId"]).toBe(
    "is not the one in the path",
  );
  expectFields(await create({ convoy: { convoyId: MISSING } }), "convoy.convoyId");
  expectFields(await create({ convoy: { convoyId: "no" } }), "convoy.convoyId");
  expectFields(await create({ convoy: null }), "convoy");
  expectFields(await create({ convoy: {}, colour: 1 }), "convoy.convoyId", "colour");
});

test.each(["PUT", "PATCH"])(
  "%s may leave the parent out or repeat it, and not change it",
  async (method) => {
    const { convoy, wagons } = await newConvoy(service, 1);
    const other = await newConvoy(service);
    const [wagon = {}] = wagons;
    const { convoy: own = null, ...rest } = wagon;
    const send = async (body: JsonObject) => service.send(method, wagonPath(wagon), { body });
    expect((await send({ ...rest, label: "a" })).json).toMatchObject({ label: "a", convoy: own });
    expect((await send({ ...rest, label: "b", convoy: own })).json).toMatchObject({ label: "b" });
    const moved = { ...rest, convoy: refTo(other.convoy, "convoyId") };
    expectFields(await send(moved), "convoy.convoyId");
    expectFields(await send({ ...rest, convoy: null }), "convoy");
    expect((await service.read(under(convoy)))["itemCount"]).toBe(1);
  },
);

test("a child is read, changed and deleted at the root", async () => {
  const { convoy, wagons } = await newConvoy(service, 1);
  const [wagon = {}] = wagons;
  const changed = await service.send("PATCH", wagonPath(wagon), { body: { label: "new" } });
  expect(changed.json["label"]).toBe("new");
  expect((await service.send("DELETE", wagonPath(wagon))).status).toBe(204);
  expect((await service.read(under(convoy)))["itemCount"]).toBe(0);
  expect((await service.read(pathOf("/api/v1/convoys", convoy)))["name"]).toBe("coal");
});

test("a parent that is renamed meanwhile is no other parent", async () => {
  const {
    convoy,
    wagons: [wagon = {}],
  } = await newConvoy(service, 1);
  const custom = await customCode("wagons");
  // Between the look at the wagon and the look at what its body refers to.
  custom.authorize = async () => {
    await service.send("PATCH", pathOf(CONVOYS, convoy), { body: { name: "renamed" } });
  };
  const body = { label: "kept", convoy: refTo(convoy, "convoyId") };
  const path = wagonPath(wagon);
  expect((await service.send("PATCH", path, { body })).json).toMatchObject(body);
  expect((await service.read(path))["convoy"]).toMatchObject({ name: "renamed" });
});
