import type { FastifyBaseLogger } from "fastify";

import { NOBODY } from "../auth/caller.js";
import type { Context } from "../entity/context.js";
import type { WriteStep } from "../store/database.js";

const NOON = Date.UTC(2026, 0, 1, 12);

/** What a test of one hook needs to call it: a fixed clock, nobody as the caller, no log, and no database. */
export interface HookTest extends Omit<Context, "stores" | "services" | "sql"> {
  /** What was given to `add`. What `once` is given is done each time. */
  readonly added: readonly WriteStep[];
}

/** The parts of a context that do not depend on a service. */
export function hookTest(): HookTest {
  const added: WriteStep[] = [];
  return {
    caller: NOBODY,
    subject: NOBODY.subject,
    roles: NOBODY.roles,
    clock: () => NOON,
    requestId: "test",
    logger: silent(),
    added,
    add: (...writes) => void added.push(...writes),
    once: async (_key, work) => {
      await work();
      return true;
    },
  };
}

/** Some members of a part of the context, and some functions of each. */
export type Fake<Part> = Part extends (...parameters: never[]) => unknown
  ? Part
  : { readonly [Name in keyof Part]?: Fake<Part[Name]> };

/** What a test gives of a context: as much as the code that it calls uses. */
export type Given<OwnContext extends Context> = Partial<
  Omit<OwnContext, "stores" | "services" | "sql">
> & {
  readonly stores?: Fake<OwnContext["stores"]>;
  readonly services?: Fake<OwnContext["services"]>;
  /** What a statement finds, whatever it is. */
  readonly sql?: (
    strings: TemplateStringsArray,
    ...gaps: readonly unknown[]
  ) => { readonly rows: (readers: object) => Promise<readonly object[]> };
};

/** `sql` of a context, without a database: its names and readers are there, and stand for nothing. */
export function fakeSql<Part>(given: Given<Context>["sql"]): Part {
  const nothing = (): unknown => name;
  const name: unknown = new Proxy(nothing, { get: () => name });
  const call = (): never => {
    throw new Error("sql was called, but the test does not provide it.");
  };
  return new Proxy(given ?? call, { get: () => name }) as Part;
}

/** A part of which a test gives some functions: a call of any other one throws, and names it. */
export function fakeOf<Part>(name: string, given: unknown): Part {
  const call = (): never => {
    throw new Error(`${name} was called, but the test does not provide it.`);
  };
  const get = (_target: object, property: string | symbol): unknown => {
    const value: unknown = Reflect.get(Object(given), property);
    if (typeof value === "function") return value.bind(given);
    const isPart = value === undefined || value === null || typeof value === "object";
    return isPart ? fakeOf(`${name}.${String(property)}`, value) : value;
  };
  // What is missing can be called or looked into, whatever it is in a service.
  return new Proxy(call, { get }) as Part;
}

function silent(): FastifyBaseLogger {
  const nothing = (): void => undefined;
  const logger: FastifyBaseLogger = {
    level: "silent",
    fatal: nothing,
    error: nothing,
    warn: nothing,
    info: nothing,
    debug: nothing,
    trace: nothing,
    silent: nothing,
    child: () => logger,
  };
  return logger;
}
