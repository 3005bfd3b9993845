import { expect, test } from "vitest";
import { CONVOYS, newConvoy, under, WAGONS } from "./support/convoys.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { MISSING } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test("a parent lists its own children, and the root lists all of them", async () => {
  const first = await newConvoy(service, 2);
  const second = await newConvoy(service, 1);
  const page = await service.read(under(first.convoy));
  expect(page).toEqual({
    results: first.wagons,
    itemCount: 2,
    pageNumber: 1,
    pageSize: 20,
    pageCount: 1,
  });
  expect(resultsOf(await service.read(under(second.convoy)))).toEqual(second.wagons);
  const all = resultsOf(await service.read(`${WAGONS}?pageSize=100`));
  for (const wagon of [...first.wagons, ...second.wagons]) expect(all).toContainEqual(wagon);
});

test("a parent without children lists none", async () => {
  const { convoy } = await newConvoy(service);
  expect(await service.read(under(convoy))).toMatchObject({ results: [], itemCount: 0 });
});

test("filters, sorts and pages hold under the parent too, and leave other parents' children out", async () => {
  const { convoy, wagons } = await newConvoy(service, 3);
  await newConvoy(service, 3);
  const find = async (search: string) => service.read(`${under(convoy)}?${search}`);
  expect(resultsOf(await find("label=w1"))).toEqual([wagons[1]]);
  expect(resultsOf(await find("sort=-label"))).toEqual([...wagons].reverse());
  expect(await find("sort=label&pageSize=2&pageNumber=2")).toMatchObject({
    results: [wagons[2]],
    itemCount: 3,
    pageCount: 2,
  });
  const other = await newConvoy(service, 1);
  expect(resultsOf(await find(`convoy.convoyId=${String(other.convoy["convoyId"])}`))).toEqual([]);
  expectFields(await service.send("GET", `${under(convoy)}?colour=red`), "colour");
});

test("an alias stands at the root and under each parent (ALI-1)", async () => {
  const { convoy, wagons } = await newConvoy(service, 3);
  const other = await newConvoy(service, 1);
  const move = async (wagon: unknown) =>
    service.send("PATCH", `${WAGONS}/${String(wagon)}`, { body: { status: "moving" } });
  const ids = [wagons[0], wagons[2], other.wagons[0]].map((wagon) => wagon?.["wagonId"]);
  for (const id of ids) expect((await move(id)).status).toBe(200);
  const labels = async (path: string) =>
    resultsOf(await service.read(path)).map(({ label }) => label);
  expect(await labels(`${under(convoy)}/movingones`)).toEqual(["w2", "w0"]);
  expect(await labels(`${under(convoy)}/movingones?sort=label&label=w0&label=w1`)).toEqual(["w0"]);
  expect(await labels(`${WAGONS}/movingones`)).toHaveLength(3);
});

test.each(["GET", "POST"])(
  "%s under an unknown parent is 404 and names the parent",
  async (method) => {
    for (const id of [MISSING, "no-uuid", "movingones"]) {
      const body = method === "POST" ? { body: { label: "lost" } } : {};
      const answer = await service.send(method, `${CONVOYS}/${id}/wagons`, body);
      expectError(answer, 404, "ConvoyNotFoundMessage");
    }
    const alias = await service.send("GET", `${CONVOYS}/${MISSING}/wagons/movingones`);
    expectError(alias, 404, "ConvoyNotFoundMessage");
  },
);

test("an upper-case parent is the same one", async () => {
  const { convoy, wagons } = await newConvoy(service, 1);
  const path = `${CONVOYS}/${String(convoy["convoyId"]).toUpperCase()}/wagons`;
  expect(resultsOf(await service.read(path))).toEqual(wagons);
});

test("POST at the root is 405: a child is created under its parent", async () => {
  const answer = await service.send("POST", WAGONS, { body: { label: "nobody's" } });
  expectError(answer, 405, "MethodNotAllowedMessage");
  expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  expect(answer.text).toContain(`; POST ${CONVOYS}/<identifier>/wagons is.`);
});

test("other methods under a parent are 405, with Allow", async () => {
  const { convoy } = await newConvoy(service);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const answer = await service.send(method, under(convoy), { body: {} });
    expectError(answer, 405, "MethodNotAllowedMessage");
    expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS, POST");
  }
  const options = await service.send("OPTIONS", under(convoy));
  expect(options.status).toBe(204);
  expect(options.headers["allow"]).toBe("GET, HEAD, OPTIONS, POST");
  expect((await service.send("HEAD", under(convoy))).status).toBe(200);
});
