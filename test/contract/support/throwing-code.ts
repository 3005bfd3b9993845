import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { ApiError } from "#runtime/base/errors";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import type { DeclaredRoute } from "#runtime/service/custom-routes";
import type { Values } from "./custom-code.js";

// What custom code can get wrong, for a service in a process of its own.

type Service = EntityService<never, Values, Values, Values>;
type Code = (context: Context) => unknown;

const servicesOf = (context: Context): Readonly<Record<"logs", Service>> =>
  (context as Context<unknown, Readonly<Record<"logs", Service>>>).services;
const pause = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
/** A log whose line is too long for the schema. */
const failing = async (context: Context): Promise<unknown> =>
  servicesOf(context).logs.create({ line: "x".repeat(3000) });

/** By the name of the widget that calls it: each throws, or leaves something that fails. */
export function throwingCode(Thrown: typeof ApiError): Readonly<Record<string, Code>> {
  const refuse =
    (status: number, headers: Readonly<Record<string, string>> = {}) =>
    (): never => {
      throw new Thrown(status, "CanaryMessage", "canary", { headers });
    };
  const unreadable = (name: string) => (): never => {
    const get = (): never => {
      throw new Error("in a getter");
    };
    throw Object.defineProperty(new Thrown(409, "CanaryMessage", "canary"), name, { get });
  };
  const raise = (make: () => unknown) => (): never => {
    throw make();
  };
  const hostile = (): never => {
    throw new Error("in a trap");
  };
  return {
    ...Object.fromEntries([0, 101, 200, 304, 399, 600, 999, 409.5].map((n) => [`${n}`, refuse(n)])),
    "a header": refuse(409, { "x-customer": "\u0142ukasz" }),
    "a header's name": refuse(409, { "x customer": "a" }),
    "the length": refuse(409, { "Content-Length": "3" }),
    "a frozen error": raise(() => Object.freeze(new Error("frozen"))),
    "a status that throws": unreadable("status"),
    "details that throw": unreadable("details"),
    "a message that throws": unreadable("message"),
    "a code of what it calls": raise(() => Object.assign(new Error("a"), { code: "ECONNRESET" })),
    "a status of what it calls": raise(() => Object.assign(new Error("a"), { statusCode: 404 })),
    "a code that throws": raise(() =>
      Object.defineProperty(new Error("a"), "code", { get: hostile, enumerable: true }),
    ),
    "no text": raise(() => new Thrown(409, 1 as never, {} as never)),
    "a long message": raise(() => {
      const long = "x".repeat(1_000_000);
      const cause = new Error(long, { cause: new Error(long) });
      return Object.assign(new Error(long, { cause }), { long, all: [long], [long]: 1 });
    }),
    "many errors": raise(() => {
      const errors = Array.from({ length: 1000 }, (_, index) => new Error(`part ${index}`));
      return new AggregateError(errors, "many");
    }),
    "an error that it has logged": (context) => {
      context.logger.error(new Error("x".repeat(1_000_000)));
      throw new Error("logged");
    },
    "a symbol": raise(() => Symbol("canary")),
    "a proxy": raise(() => new Proxy({}, { get: hostile, getPrototypeOf: hostile })),
    "a circle": raise(() => {
      const circle = new Error("circle");
      return Object.assign(circle, { cause: circle, self: circle });
    }),
    "a call without await": async (context) => {
      void failing(context);
      await pause(20);
    },
    "a late call": (context) => void pause(20).then(async () => failing(context)),
    "a call that is not over": (context) => void servicesOf(context).logs.create({ line: "late" }),
    "a rejection": () => void Promise.reject(new Error("nobody waits")),
    "a timer": () => void setTimeout(hostile, 5),
    "a microtask": () => queueMicrotask(hostile),
    "a text in a microtask": () => queueMicrotask(raise(() => "nothing but text")),
    "a microtask of a timer": () => void setTimeout(() => queueMicrotask(hostile), 5),
    "a tick": () => process.nextTick(hostile),
    "an event": () =>
      void setImmediate(() => new EventEmitter().emit("error", new Error("heard by nobody"))),
  };
}

/** The names of what is answered 201 all the same: it fails when the widget has been made. */
export const LATE = [
  "a call that is not over",
  "a late call",
  "a rejection",
  "a timer",
  "a microtask",
  "a text in a microtask",
  "a microtask of a timer",
  "a tick",
  "an event",
  "a call without await",
];

const post = { method: "POST", path: "/api/v1/throwing" } as const;

function hostileThen(): never {
  throw new Error("canary");
}

/** What src/app.ts would say: each part of it leaves a rejection. */
export function throwingApp(Thrown: typeof ApiError) {
  const leave = (name: string): void => void Promise.reject(new Error(`left by ${name}`));
  const routes: DeclaredRoute[] = [
    { ...post, handle: () => void leave("route") },
    { ...post, method: "GET", handle: throwingCode(Thrown)["a header"] as () => never },
    { ...post, method: "PUT", handle: () => 1n },
  ];
  return {
    provide: () => ({}),
    routes: () => routes,
    checks: { left: async () => leave("check") },
    onStart: () => leave("onStart"),
    plugins: (fastify: FastifyInstance): void => {
      fastify.addHook("onRequest", async ({ headers }, reply) => {
        const { "x-plugin": wanted } = headers;
        if (wanted === "leave") leave("plugin");
        if (wanted === "header") reply.header("x-customer", "\u0142ukasz");
        if (wanted === "throw") throw new Thrown(200, "a", "b", { headers: { "a b": "c" } });
      });
      fastify.addHook("onSend", async ({ headers }, reply, payload) => {
        const { "x-plugin": wanted } = headers;
        if (wanted === "fail to send") throw new Error("canary");
        if (wanted === "refuse to send") throw new Thrown(409, "CanaryMessage", "canary");
        if (wanted === "send nothing") throw undefined;
        if (wanted === "half a status")
          throw Object.assign(new Error("canary"), { statusCode: 400.5 });
        if (wanted === "send a number") return 7 as never;
        if (wanted === "send a broken stream") {
          return new Readable({ read: () => hostileThen() }) as never;
        }
        if (wanted === "frame it otherwise") {
          reply.header("transfer-encoding", "chunked").header("content-range", "bytes 0-1/2");
          throw new Error("canary");
        }
        if (wanted === "send a bad header") reply.header("x-customer", "\u0142ukasz");
        // What is thrown need not be an error.
        if (wanted === "send a thenable") throw { then: (): never => hostileThen() };
        return payload;
      });
    },
  };
}
