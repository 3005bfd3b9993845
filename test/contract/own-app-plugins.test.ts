import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import type { Extension } from "../../templates/kernel/service/service.js";
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

/** What `fastify-plugin` does: its hooks are the whole service's. */
function global(plugin: FastifyPluginCallback): FastifyPluginCallback {
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
