import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import { integer } from "#runtime/input/numbers";
import { text } from "#runtime/input/text";
import type { DeclaredRoute } from "#runtime/service/custom-routes";
import type { EntityService } from "#runtime/entity/entity-service";
import type { createApp } from "#runtime/service/app";
import type { createService, Extension } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { compiledModule } from "../support/compiled-module.js";
import type { Values } from "./support/custom-code.js";
import { MISSING } from "./support/samples.js";
import { newKeys, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";
import { serviceRuntime } from "../support/runtime.js";

interface AppModule {
  readonly createApp: typeof createApp;
}
interface RegistryModule {
  readonly registry: ServiceRegistry<object, object>;
}

interface OwnCall {
  readonly body: { readonly line: string; readonly times: number };
  readonly id: string;
  readonly search: URLSearchParams;
  readonly context: Context<
    unknown,
    { readonly logs: EntityService<never, Values, Values, Values> }
  >;
}

const IMPORT: DeclaredRoute = {
  method: "POST",
  path: "/api/v1/imports",
  body: { line: text({ maxLength: 20 }), times: integer({ minimum: 1, maximum: 3 }) },
  async handle({ body, context }: OwnCall) {
    for (let time = 0; time < body.times; time += 1) {
      await context.services.logs.create({ line: body.line });
    }
    if (body.line === "broken") throw new Error("half way");
    return { made: body.times };
  },
};
const ECHO: DeclaredRoute = {
  method: "GET",
  path: "/api/v1/depots/{depotId}/label",
  handle: ({ id, search }: OwnCall) => ({ id, size: search.get("size") }),
};

/** What the types refuse as well. */
const TIED = ["owner"] as readonly string[] as DeclaredRoute["access"] & object;

/** What src/app.ts would add. */
function extension(changes: Partial<Extension> = {}): Extension {
  return { provided: {}, routes: [IMPORT, ECHO], checks: {}, onStop: () => undefined, ...changes };
}

const service = await startService("contract", { extension: extension() });
const json = { "content-type": "application/json" };
const post = async (body: unknown, headers: Readonly<Record<string, string>> = json) =>
  fetch(`${service.url}/api/v1/imports`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const linesOf = async (line: string) => {
  const { results } = (await service.read("/api/v1/logs?pageSize=5&sort=-createdDate")) as {
    results: Values[];
  };
  return results.filter((log) => log["line"] === line).length;
};

test("a route of the service's own has a typed body, and its writes are one transaction", async () => {
  const answer = await post({ line: "imported", times: 2 });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await answer.text()).toBe('{\n  "made": 2\n}');
  expect(await linesOf("imported")).toBe(2);
  expect((await post({ line: "broken", times: 2 })).status).toBe(500);
  expect(await linesOf("broken")).toBe(0);
});

test("it is under the rules of all others: 400 with fields, 404, 405, 406, 415", async () => {
  const refused = await post({ line: "x".repeat(21), times: 0, more: 1 });
  const { errors } = (await refused.json()) as { errors: { fields: { field: string }[] }[] };
  expect(refused.status).toBe(400);
  expect(errors[0]?.fields.map(({ field }) => field)).toEqual(["more", "line", "times"]);
  expect((await post("{", json)).status).toBe(400);
  expect((await post("x", { "content-type": "text/plain" })).status).toBe(415);
  expect((await post({ line: "a", times: 1 }, { ...json, accept: "text/html" })).status).toBe(406);
  const wrong = await fetch(`${service.url}/api/v1/imports`, { method: "DELETE" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  const label = (id: string) => fetch(`${service.url}/api/v1/depots/${id}/label?size=2`);
  expect(await (await label(MISSING.toUpperCase())).json()).toEqual({ id: MISSING, size: "2" });
  expect((await label("no-uuid")).status).toBe(404);
});

test("a key makes it answer once", async () => {
  const headers = { ...json, "idempotency-key": "import-1" };
  const first = await post({ line: "keyed", times: 1 }, headers);
  const again = await post({ line: "keyed", times: 1 }, headers);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(await linesOf("keyed")).toBe(1);
});

test("where callers have names, it asks for one unless it says otherwise", async () => {
  const keys = await newKeys("first");
  const issuer = await startKeyServer([keys.jwk]);
  const open: DeclaredRoute = { ...ECHO, path: "/api/v1/open", access: ["anyone"] };
  const clerks: DeclaredRoute = { ...ECHO, path: "/api/v1/clerks", access: ["role:clerk"] };
  const routes = [{ ...ECHO, path: "/api/v1/echo" }, open, clerks];
  const secured = await startSecured(issuer.url, { extension: extension({ routes }) });
  const statuses = async (headers: Readonly<Record<string, string>>) => {
    const paths = ["echo", "open", "clerks"].map((name) => `${secured.url}/api/v1/${name}`);
    const answers = await Promise.all(paths.map((path) => fetch(path, { headers })));
    return answers.map(({ status }) => status);
  };
  expect(await statuses({})).toEqual([401, 200, 401]);
  const authorization = `Bearer ${await tokenOf(keys, "ada")}`;
  expect(await statuses({ authorization })).toEqual([200, 200, 403]);
});

test("each method asks for its own access, whatever its path ends in", async () => {
  const keys = await newKeys("second");
  const issuer = await startKeyServer([keys.jwk]);
  const path = "/api/v1/reports/{reportId}";
  const grants = { GET: "role:clerk", PUT: "anyone", PATCH: "role:clerk", DELETE: "role:boss" };
  const routes = Object.entries(grants).map(([method, grant]) => {
    return { ...ECHO, path, method, access: [grant] } as DeclaredRoute;
  });
  const secured = await startSecured(issuer.url, { extension: extension({ routes }) });
  const statuses = async (headers: Readonly<Record<string, string>>) => {
    const url = `${secured.url}/api/v1/reports/${MISSING}`;
    const methods = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
    const answers = methods.map(async (method) => {
      const body = method.startsWith("P") ? { body: "{}" } : {};
      return fetch(url, { method, headers: { ...json, ...headers }, ...body });
    });
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const as = async (...roles: readonly string[]) =>
    statuses({ authorization: `Bearer ${await tokenOf(keys, "ada", roles)}` });
  expect(await statuses({})).toEqual([401, 401, 200, 401, 401]);
  expect(await as()).toEqual([403, 403, 200, 403, 403]);
  expect(await as("clerk")).toEqual([200, 200, 200, 200, 403]);
  expect(await as("clerk", "boss")).toEqual([200, 200, 200, 200, 200]);
});

test("plugins come before every route, and before what is answered where there is none", async () => {
  const own = await startService("contract", {
    extension: extension({
      plugins: (fastify) => {
        fastify.addHook("onRequest", async (request, reply) => {
          reply.header("x-plugin", "was here");
          if (request.headers["x-block"] !== undefined) {
            throw Object.assign(new Error("enough"), { statusCode: 429 });
          }
        });
        // As limiters do it: for each route.
        fastify.addHook("onRoute", (route) => {
          route.onSend = async (_request, reply) => void reply.header("x-route", route.url);
        });
      },
    }),
  });
  for (const [method, path, status] of [
    ["GET", "/api/v1/widgets", 200],
    ["GET", "/api/v1/imports", 405],
    ["DELETE", "/api/v1/widgets", 405],
    ["GET", "/api/v1/nowhere", 404],
    ["POST", "/nowhere", 404],
    ["GET", "/healthz", 200],
  ] as const) {
    const answer = await fetch(own.url + path, { method });
    expect([path, answer.status, answer.headers.get("x-plugin")]).toEqual([
      path,
      status,
      "was here",
    ]);
    expect(answer.headers.get("x-route")).not.toBeNull();
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    const blocked = await fetch(own.url + path, { method, headers: { "x-block": "1" } });
    expect(blocked.status).toBe(429);
    expect(await blocked.text()).toContain("TooManyRequestsMessage");
  }
});

test("a route that declares no body needs none, and takes none", async () => {
  const path = "/api/v1/sweeps";
  const sweep = { path, handle: () => ({ swept: true }) };
  const routes = (["POST", "PUT", "PATCH"] as const).map((method) => ({ ...sweep, method }));
  const own = await startService("contract", { extension: extension({ routes }) });
  for (const { method } of routes) {
    expect((await fetch(own.url + path, { method })).status).toBe(200);
    const sent = await fetch(own.url + path, { method, headers: json, body: '{"more":1}' });
    expect(sent.status).toBe(400);
  }
  expect((await post("")).status).toBe(400);
});

test("a start or a stop that fails lets go of everything", async () => {
  const ended: string[] = [];
  const plugins: Extension["plugins"] = (fastify) => {
    fastify.addHook("onClose", async () => void ended.push("closed"));
  };
  const fail = (): never => {
    throw new Error("the warehouse is gone");
  };
  const { createApp } = await serviceRuntime<AppModule>("contract", "service/app");
  const { registry } = await compiledModule<RegistryModule>("contract", "generated/app");
  const definition = { provide: () => ({}), plugins, onStart: fail, onStop: fail };
  await expect(createApp({ registry, definition })).rejects.toThrow("the warehouse is gone");
  expect(ended).toEqual(["closed"]);

  const { onStart: _, ...stopping } = definition;
  const running = await createApp({ registry, definition: stopping });
  const { logs } = running.services as { readonly logs: { list(): Promise<unknown> } };
  expect(await logs.list()).toMatchObject({ itemCount: 0 });
  await expect(running.close()).rejects.toThrow("the warehouse is gone");
  await expect(logs.list()).rejects.toThrow();
});

test("all who stop a service wait for the one stop", async () => {
  let stopped = 0;
  const runtime = await serviceRuntime<{ createService: typeof createService }>(
    "contract",
    "service/service",
  );
  const { registry } = await compiledModule<RegistryModule>("contract", "generated/app");
  const own = await runtime.createService(registry as ServiceRegistry, {
    extension: extension({
      onStop: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        stopped += 1;
      },
    }),
  });
  const first = own.close();
  await own.close();
  expect(stopped).toBe(1);
  await first;
  await own.close();
  expect(stopped).toBe(1);
});

test("a check that fails makes the service unready, and onStop runs when all is answered", async () => {
  let isThere = true;
  let stopped = 0;
  let now = 0;
  const own = await startService("contract", {
    elapsed: () => now,
    extension: extension({
      checks: { warehouse: async () => (isThere ? undefined : Promise.reject(new Error("gone"))) },
      onStop: () => void (stopped += 1),
    }),
  });
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200);
  isThere = false;
  // One answer holds for a second.
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200);
  now = 1000;
  expect((await fetch(`${own.url}/readyz`)).status).toBe(503);
  await own.close();
  expect(stopped).toBe(1);
});

test.each<[DeclaredRoute, string]>([
  [ECHO, "src/app.ts has two routes for GET /api/v1/depots/{depotId}/label."],
  [
    { ...ECHO, path: "/api/v1/depots/{placeId}/label" },
    "src/app.ts has GET /api/v1/depots/{depotId}/label and GET /api/v1/depots/{placeId}/label, which are the same path: give its identifier one name.",
  ],
  [
    { ...ECHO, method: "POST", path: "/api/v1/depots/{placeId}/label" },
    "src/app.ts has GET /api/v1/depots/{depotId}/label and POST /api/v1/depots/{placeId}/label, which are the same path: give its identifier one name.",
  ],
])("two routes of one path are refused at the start", async (route, message) => {
  const starting = startService("contract", { extension: extension({ routes: [ECHO, route] }) });
  await expect(starting).rejects.toThrow(message);
});

test.each([
  [{ ...ECHO, path: "/api/v1/widgets" }, "The path /api/v1/widgets is taken"],
  [{ ...ECHO, path: "imports" }, "imports is not a path for a route of src/app.ts"],
  [{ ...ECHO, body: { a: integer() } }, "A GET has no body"],
  [
    { ...ECHO, access: TIED },
    'GET /api/v1/depots/{depotId}/label of src/app.ts cannot give access to "owner"',
  ],
])("a route that cannot be is refused at the start", async (route, message) => {
  const starting = startService("contract", { extension: extension({ routes: [route] }) });
  await expect(starting).rejects.toThrow(message);
});
