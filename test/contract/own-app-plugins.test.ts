import { request, type IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import type { Extension } from "#runtime/service/service";
import { startService } from "./support/service.js";

/** What src/app.ts would add. */
function extension(plugins: Extension["plugins"] & object): Extension {
  return { provided: {}, routes: [], checks: {}, onStop: () => undefined, plugins };
}

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
      extension: extension(async (fastify) => {
        const registered = fastify.register(global(limiter));
        if (isAwaited) await registered;
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
    const starting = startService("contract", { extension: extension(plugins) });
    await expect(starting).rejects.toThrow("`cors: { origins: [...] }` in service.yaml");
  }
});

test("a client that asks before it sends its body is told so where a plugin reads it, and answered where none does", async () => {
  const own = await startService("contract", {
    extension: extension((fastify) => {
      fastify.addHook("onRequest", async (asked, reply) => {
        if (asked.url.endsWith("/busy")) return reply.code(429).send("");
        if (asked.url.endsWith("/raw")) reply.hijack().raw.writeHead(418).end();
        return undefined;
      });
      fastify.post("/uploads", async ({ body }) => ({ bytes: (body as Uint8Array).length }));
    }),
  });
  const asked = async (path: string) => askFirst(`${own.url}${path}`);
  expect(await asked("/api/v1/widgets/busy")).toEqual([429, "close", []]);
  expect(await asked("/api/v1/widgets/raw")).toEqual([418, "close", []]);
  expect(await asked("/uploads")).toEqual([200, "keep-alive", ["continue"]]);
  expect(await asked("/api/v1/widgets")).toEqual([201, "keep-alive", ["continue"]]);
  expect(await asked("/api/v1/nothing")).toEqual([404, "close", []]);
});

/** Sends a body once it is asked for; the answer's status and connection, and whether it was. */
async function askFirst(url: string): Promise<readonly unknown[]> {
  const body = '{"name":"drill"}';
  const told: string[] = [];
  const headers = {
    expect: "100-continue",
    connection: "keep-alive",
    "content-type": "application/json",
    "content-length": body.length,
  };
  const sent = request(url, { method: "POST", headers });
  sent.on("continue", () => {
    told.push("continue");
    sent.end(body);
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject);
    sent.setTimeout(5000, () => sent.destroy(new Error(`nothing came of ${url}`)));
  });
  // What comes after an answer would be seen by then.
  await new Promise((resolve) => answer.on("end", resolve).resume());
  await new Promise((resolve) => setTimeout(resolve, 50));
  sent.destroy();
  return [answer.statusCode, answer.headers.connection, told];
}

/** What `fastify-plugin` does: its hooks are the whole service's. */
function global(plugin: FastifyPluginCallback): FastifyPluginCallback {
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
