import type { FastifyInstance } from "fastify";
import { expect, test, vi } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { text } from "#runtime/input/text";
import { uuid } from "#runtime/input/reader";
import type { DeclaredRoute } from "#runtime/service/custom-routes";
import type { JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const DOSSIERS = "/api/v1/dossiers";

type Service = EntityService<never, Values, Values, Values>;
type Services = { readonly unrestricted: Services } & Readonly<
  Record<"dossiers" | "stamps" | "loans", Service>
>;
interface OwnCall {
  readonly body: { readonly dossier: string; readonly entity: "stamps" | "loans" };
  readonly context: Context<unknown, Services>;
}

/** Makes what belongs or refers to a dossier through the services, and tells what refused it. */
const MAKE: DeclaredRoute = {
  method: "POST",
  path: "/api/v1/makings",
  body: { dossier: uuid(), entity: text({ maxLength: 10 }) },
  async handle({ body, context: { services } }: OwnCall) {
    const input = { dossier: { dossierId: body.dossier } };
    try {
      await services[body.entity].create(input);
      return { outcome: "made" };
    } catch (error) {
      const { status, fields } = error as { status?: number; fields?: readonly Values[] };
      return { outcome: status ?? fields?.[0]?.["field"] ?? String(error) };
    }
  },
};
/** Makes a dossier, and what belongs to it, in one transaction. */
const FILL: DeclaredRoute = {
  method: "POST",
  path: "/api/v1/fillings",
  async handle({ context: { services } }: OwnCall) {
    const dossier: Values = await services.dossiers.create({ name: "filled" });
    await services.stamps.create({ dossier: { dossierId: dossier["dossierId"] ?? null } });
  },
};

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const logged: Warned[] = [];
let now = Date.now();
const service = await startSecured(server.url, {
  clock: () => now,
  elapsed: () => now,
  configure: noteWarnings(logged),
  extension: { provided: {}, routes: [MAKE, FILL], checks: {}, onStop: () => undefined },
});
const maker = await tokenOf(keys, "maker");
const seller = await tokenOf(keys, "seller", ["sales"]);
const other = await tokenOf(keys, "other");
const suspended = await tokenOf(keys, "maker", ["suspended"]);
const keeper = await tokenOf(keys, "keeper", ["keeper"]);

const send = async (token: string | null, method: string, path: string, body?: JsonObject) =>
  sendAs(service, token, [method, path], body);
const create = async (token: string, path: string, body: JsonObject = {}): Promise<JsonObject> => {
  const answer = await send(token, "POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const at = (plural: string, id: unknown): string => `/api/v1/${plural}/${String(id)}`;

const ofSales = await create(maker, DOSSIERS, { name: "a", department: "sales" });
const ofNobody = await create(maker, DOSSIERS, { name: "b" });
const forOther = await create(maker, DOSSIERS, { name: "c", readers: ["someone", "other"] });
const all = [ofSales, ofNobody, forOther];
const readable = [
  { name: "who has made them", token: maker, want: [200, 200, 200] },
  { name: "their department", token: seller, want: [200, 404, 404] },
  { name: "who is named in them", token: other, want: [404, 404, 200] },
  { name: "who is given nothing", token: suspended, want: [404, 404, 404] },
  { name: "a role that the schema names", token: keeper, want: [200, 200, 200] },
];

test.each(readable)("single entities are there for $name", async ({ token, want }) => {
  for (const [index, { dossierId }] of all.entries()) {
    for (const plural of ["dossiers", "shareddossiers"]) {
      const read = await send(token, "GET", at(plural, dossierId));
      expect(read.status, plural).toBe(want[index]);
      if (want[index] === 404) expectError(read, 404, "DossierNotFoundMessage");
    }
  }
});

test("whoever is given nothing is refused a list, and whoever has no name is not asked about", async () => {
  for (const list of [DOSSIERS, "/api/v1/sheets", "/api/v1/sheets/redones"]) {
    expectError(await send(suspended, "GET", list), 403, "ForbiddenMessage");
  }
  expectError(await send(null, "GET", DOSSIERS), 401, "UnauthorizedMessage");
  expectError(
    await send(null, "GET", at("dossiers", ofSales["dossierId"])),
    401,
    "UnauthorizedMessage",
  );
});

test("a value that a property cannot hold gives nothing, and the log of this service says so once in a minute", async () => {
  const elsewhere: Warned[] = [];
  await startSecured(server.url, { configure: noteWarnings(elsewhere) });
  const garbled = await tokenOf(keys, "maker", ["garbled"]);
  const list = await send(garbled, "GET", DOSSIERS);
  expect([list.status, resultsOf(list.json)]).toEqual([200, []]);
  const read = await send(garbled, "GET", at("dossiers", ofSales["dossierId"]));
  expectError(read, 404, "DossierNotFoundMessage");
  now += 60_000;
  const again = await send(garbled, "GET", DOSSIERS);
  const text =
    'scope of dossiers has a condition that cannot hold, so it finds nothing: "readers" must not contain the character NUL.';
  const ids = [list, again].map(({ headers }) => headers["x-request-id"]);
  expect(logged).toEqual(ids.map((requestId) => ({ requestId, text })));
  expect(elsewhere).toEqual([]);
});

test("what is changed out of somebody's part is gone for them", async () => {
  const made = await create(maker, DOSSIERS, { name: "moved", department: "sales" });
  const path = at("dossiers", made["dossierId"]);
  const moved = await send(seller, "PATCH", path, { department: "legal" });
  expect(moved.json).toMatchObject({ department: "legal" });
  expectError(await send(seller, "GET", path), 404, "DossierNotFoundMessage");
  expect((await send(maker, "DELETE", path)).status).toBe(204);
});

test("children are there with their parent, at every path", async () => {
  const sheets = `${at("dossiers", ofSales["dossierId"])}/sheets`;
  const hidden = `${at("dossiers", ofNobody["dossierId"])}/sheets`;
  await create(maker, sheets, { text: "red" });
  const unseen = await create(maker, hidden, { text: "red" });
  for (const list of ["/api/v1/sheets", "/api/v1/sheets/redones", sheets, `${sheets}/redones`]) {
    expect((await send(seller, "GET", list)).json["itemCount"], list).toBe(1);
  }
  expectError(await send(seller, "GET", hidden), 404, "DossierNotFoundMessage");
  const path = at("sheets", unseen["sheetId"]);
  expectError(await send(seller, "GET", path), 404, "SheetNotFoundMessage");
});

test("code is not asked about a reference that a body does not hold", async () => {
  const body = { dossier: { dossierId: ofSales["dossierId"] ?? null } };
  const { loanId } = await create(seller, "/api/v1/loans", body);
  const own = (await customCode("dossiers", "secured")) as unknown as { scope: () => null };
  const { scope } = own;
  let asked = 0;
  own.scope = () => {
    asked += 1;
    return null;
  };
  expect((await send(seller, "PATCH", at("loans", loanId), {})).status).toBe(200);
  expect(asked).toBe(0);
  expectFields(await send(seller, "POST", "/api/v1/loans", body), "dossier.dossierId");
  expect(asked).toBe(1);
  own.scope = scope;
});

test("own code creates and refers as its caller may, like a request", async () => {
  const made = async (token: string, entity: string, { dossierId }: JsonObject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ entity, dossier: dossierId });
    const answer = await fetch(`${service.url}${MAKE.path}`, { method: "POST", headers, body });
    return ((await answer.json()) as { outcome: unknown }).outcome;
  };
  expect(await made(seller, "stamps", ofSales)).toBe("made");
  expect(await made(keeper, "stamps", ofSales)).toBe(403);
  expect(await made(other, "stamps", ofSales)).toBe("dossier.dossierId");
  expect(await made(seller, "loans", ofSales)).toBe("made");
  expect(await made(seller, "loans", ofNobody)).toBe("dossier.dossierId");
  const headers = { authorization: `Bearer ${maker}`, "content-type": "application/json" };
  const filled = { method: "POST", headers, body: "{}" };
  expect((await fetch(`${service.url}${FILL.path}`, filled)).status).toBe(204);
});

/** What a service warns of, and of which request. */
interface Warned {
  readonly requestId: unknown;
  readonly text: unknown;
}

/** Keeps what a service warns of in requests. */
function noteWarnings(warnings: Warned[]): (app: FastifyInstance) => void {
  return ({ log }) => {
    const child = log.child.bind(log);
    vi.spyOn(log, "child").mockImplementation((bindings, options) => {
      const made = child(bindings, options);
      const { requestId } = bindings;
      vi.spyOn(made, "warn").mockImplementation((text: unknown) => {
        warnings.push({ requestId, text });
      });
      return made;
    });
  };
}
