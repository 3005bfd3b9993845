import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import type { Context } from "../../templates/kernel/entity/hooks.js";
import { integer } from "../../templates/kernel/input/integer-reader.js";
import { text } from "../../templates/kernel/input/text-reader.js";
import type { DeclaredRoute } from "../../templates/kernel/service/own-routes.js";
import type { EntityService } from "../../templates/kernel/entity/entity-service.js";
import type { Extension } from "../../templates/kernel/service/service.js";
import type { Values } from "./support/custom-code.js";
import { MISSING } from "./support/samples.js";
import { newKeys, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";

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

test("a limiter sees what is refused as well, whether its plugin is waited for or not", async () => {
  for (const isAwaited of [true, false]) {
    const seen: string[] = [];
    // As @fastify/rate-limit does it: last of the hooks of each route.
    const limiter: FastifyPluginCallback = (fastify, _options, done) => {
      fastify.addHook("onRoute", (route) => {
        const count = (request: FastifyRequest, _reply: unknown, next: () => void): void => {
          seen.push(request.method);
          next();
        };
        route.onRequest = [...[route.onRequest ?? []].flat(), count];
      });
      done();
    };
    const own = await startService("secured", {
      extension: extension({
        plugins: async (fastify) => {
          const registered = fastify.register(global(limiter));
          if (isAwaited) await registered;
        },
      }),
    });
    const answers = ["GET", "POST", "PUT", "PATCH", "DELETE"].map(async (method) => {
      const body = method === "GET" || method === "DELETE" ? null : "{}";
      return (await fetch(`${own.url}/api/v1/vaults`, { method, body })).status;
    });
    expect(await Promise.all(answers)).toEqual([401, 401, 405, 405, 405]);
    expect(seen.sort()).toEqual(["DELETE", "GET", "PATCH", "POST", "PUT"]);
  }
});

test("a plugin that answers every OPTIONS is refused, with what to write instead", async () => {
  const cors: FastifyPluginCallback = (fastify, _options, done) => {
    fastify.options("*", async () => "");
    done();
  };
  for (const isAwaited of [true, false]) {
    const plugins = async (fastify: FastifyInstance): Promise<void> => {
      const registered = fastify.register(global(cors));
      if (isAwaited) await registered;
    };
    const starting = startService("contract", { extension: extension({ plugins }) });
    await expect(starting).rejects.toThrow("`cors: { origins: [...] }` in service.yaml");
  }
});

/** What `fastify-plugin` does: its hooks are the whole service's. */
function global(plugin: FastifyPluginCallback): FastifyPluginCallback {
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}

test("a check that fails makes the service unready, and onStop runs when all is answered", async () => {
  let isThere = true;
  let stopped = 0;
  const own = await startService("contract", {
    extension: extension({
      checks: { warehouse: async () => (isThere ? undefined : Promise.reject(new Error("gone"))) },
      onStop: () => void (stopped += 1),
    }),
  });
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200);
  isThere = false;
  expect((await fetch(`${own.url}/readyz`)).status).toBe(503);
  await own.close();
  expect(stopped).toBe(1);
});

test.each([
  [{ ...ECHO, path: "/api/v1/widgets" }, "The path /api/v1/widgets is taken"],
  [{ ...ECHO, path: "imports" }, "imports is not a path for a route of src/app.ts"],
  [{ ...ECHO, body: { a: integer() } }, "A GET has no body"],
])("a route that cannot be is refused at the start", async (route, message) => {
  const starting = startService("contract", { extension: extension({ routes: [route] }) });
  await expect(starting).rejects.toThrow(message);
});
