import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { CONVOYS, newConvoy, refTo, under, WAGONS } from "./support/convoys.js";
import { customCode } from "./support/custom-code.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const wagonPath = (wagon: JsonObject): string => `${WAGONS}/${String(wagon["wagonId"])}`;

test("filters, sorts and aliases hold under the parent too, and leave other parents' children out", async () => {
  const { convoy, wagons } = await newConvoy(service, 3);
  const other = await newConvoy(service, 3);
  const moved = [wagons[0], wagons[2], other.wagons[0]].map((wagon) => wagonPath(wagon ?? {}));
  for (const path of moved) await service.send("PATCH", path, { body: { status: "moving" } });
  const labels = async (search: string) =>
    resultsOf(await service.read(under(convoy) + search)).map(({ label }) => label);
  expect(await labels("?label=w1")).toEqual(["w1"]);
  expect(await labels("?sort=-label")).toEqual(["w2", "w1", "w0"]);
  expect(await labels(`?convoy.convoyId=${String(other.convoy["convoyId"])}`)).toEqual([]);
  expect(await labels("/movingones")).toEqual(["w2", "w0"]);
  expect(await labels("/movingones?sort=label&label=w0&label=w1")).toEqual(["w0"]);
});

test("what is not allowed at the root says where it is", async () => {
  const answer = await service.send("POST", WAGONS, { body: { label: "nobody's" } });
  expectError(answer, 405, "MethodNotAllowedMessage");
  expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  expect(answer.text).toContain(`; POST ${CONVOYS}/<identifier>/wagons is.`);
});

test("the parent may be named in the body, in any case and with what is embedded, and no other", async () => {
  const { convoy } = await newConvoy(service);
  const convoyId = String(convoy["convoyId"]).toUpperCase();
  const made = await service.create(under(convoy), { convoy: { convoyId, name: "ignored" } });
  expect(made["convoy"]).toEqual({ convoyId: convoy["convoyId"], name: "coal" });
  const create = async (body: JsonObject) => service.send("POST", under(convoy), { body });
  expectFields(await create({ convoy: { convoyId: MISSING } }), "convoy.convoyId");
  expectFields(await create({ convoy: null }), "convoy");
  expectFields(await create({ convoy: {}, colour: 1 }), "convoy.convoyId", "colour");
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
