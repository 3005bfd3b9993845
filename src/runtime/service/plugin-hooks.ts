import type { FastifyInstance, FastifyReply, RouteOptions } from "fastify";

import { runCustomNow, runKernel } from "../base/custom-code.js";
import { isUnsendable } from "../http/refusals.js";

type Callback = (this: unknown, ...given: readonly unknown[]) => unknown;

/**
 * Adds plugins. Their hooks and routes are custom code: an error that they leave uncaught is logged with their name, and stops
 * nothing. Once an `onSend` has failed, the error is sent without the hooks of plugins: they would fail again.
 */
export async function addPlugins(
  app: FastifyInstance,
  plugins: ((app: FastifyInstance) => unknown) | undefined,
): Promise<void> {
  if (plugins === undefined) return;
  const add = Reflect.get(app, "addHook") as Callback;
  let isOver = false;
  // The instances that plugins are given inherit it.
  Reflect.set(app, "addHook", function (this: unknown, name: string, hook: Callback): unknown {
    return Reflect.apply(add, this, [name, isOver ? hook : hookOf(name, hook)]);
  });
  Reflect.apply(add, app, [
    "onRoute",
    (route: RouteOptions): void => {
      if (isOver) return;
      const handler = named(`${route.url} of a plugin`, route.handler as Callback);
      route.handler = handler as typeof route.handler;
    },
  ]);
  await plugins(app);
  await app.after();
  isOver = true;
  // After the hooks of plugins, which can give each route an `onSend`.
  Reflect.apply(add, app, ["onRoute", wrapOnSend]);
}

function wrapOnSend(route: RouteOptions): void {
  if (route.onSend === undefined) return;
  const hooks = [route.onSend].flat() as unknown as readonly Callback[];
  route.onSend = hooks.map((hook) => hookOf("onSend", hook)) as unknown as typeof route.onSend;
}

function hookOf(name: string, hook: Callback): Callback {
  const own = named(`${name} of a plugin`, hook);
  return name === "onSend" ? unlessUnsendable(own) : own;
}

/** An `onSend` that is passed by for an error in place of the answer that it, or another, has failed to send. */
function unlessUnsendable(own: Callback): Callback {
  const run: Callback = function (this: unknown, ...given): unknown {
    const [, reply, payload, done] = given;
    if (!isUnsendable(reply as FastifyReply)) return Reflect.apply(own, this, given);
    return own.length > 3 ? (done as Callback)(null, payload) : Promise.resolve(payload);
  };
  return likewise(run, own);
}

/** The same function under a name. */
function named(code: string, own: Callback): Callback {
  const run: Callback = function (this: unknown, ...given) {
    const all = given.map((one) => (typeof one === "function" ? runKernel(one as Callback) : one));
    return runCustomNow(code, () => Reflect.apply(own, this, all));
  };
  return likewise(run, own);
}

/** Fastify tells by the length and by `async` whether a function has a callback, and refuses both at once. */
function likewise(run: Callback, own: Callback): Callback {
  const isAsync = own.constructor.name === "AsyncFunction";
  const same: Callback = isAsync
    ? async function (this: unknown, ...given) {
        return Reflect.apply(run, this, given);
      }
    : run;
  return Object.defineProperty(same, "length", { value: own.length });
}
