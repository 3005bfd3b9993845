import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import type { App, createApp } from "#runtime/service/app";
import { wholeService } from "../support/compiled-service.js";
import { CODE, SCHEMAS } from "../support/cookbook.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { loadRuntime } from "../support/runtime.js";
import { serviceFolder } from "../support/service-folders.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transpileService } from "../support/transpile.js";
import { AUDIENCE, ISSUER, newKeys, tokenOf } from "../contract/support/secured.js";

// The reports of docs/modelling.md, as the page shows them, on requests.

const folder = serviceFolder("recipes");
writeTree(folder, await wholeService(await renderValid(SCHEMAS), CODE));
await transpileService(folder);
const code = join(folder, "dist");
const { default: app } = (await import(join(code, "app.js"))) as { default: App<object, object> };
const runtime = await loadRuntime<{ createApp: typeof createApp }>(code, "service/app");

const keys = await newKeys("recipes");
const keysFile = join(temporaryFolder(), "keys.json");
writeFileSync(keysFile, JSON.stringify({ keys: [keys.jwk] }));
// Later than any time of these services.
const exp = Date.parse("2030-01-01T00:00:00.000Z") / 1000;
const tokens = {
  nobody: null,
  guest: await tokenOf(keys, "guest", [], { claims: { exp } }),
  clerk: await tokenOf(keys, "clerk", [], { claims: { exp, roles: ["clerk"] } }),
  manager: await tokenOf(keys, "manager", [], { claims: { exp, roles: ["manager"] } }),
};
type Body = Readonly<Record<string, unknown>>;

/** Starts the service on a database; `at` sets its clock. */
async function started(databaseUrl: string) {
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  const running = await runtime.createApp(app, {
    databaseUrl,
    clock: () => now,
    authentication: {
      scheme: "bearer",
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: keysFile,
      roles: "roles",
    },
  });
  const url = await running.listen();
  afterAll(async () => {
    running.app.server.closeAllConnections();
    await running.close();
  });
  const send = async (
    method: string,
    path: string,
    body?: Body,
    caller: keyof typeof tokens = "manager",
  ): Promise<{ readonly status: number; readonly body: Body }> => {
    const token = tokens[caller];
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  return {
    send,
    at: (time: string) => void (now = Date.parse(time)),
    create: async (path: string, body: Body): Promise<Body> => {
      const made = await send("POST", path, body);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return made.body;
    },
    read: async (path: string): Promise<unknown> => {
      const { status, body } = await send("GET", path);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    },
    /** Returns the status of a GET by each caller. */
    access: async (path: string) => {
      const callers = Object.keys(tokens) as (keyof typeof tokens)[];
      const sent = callers.map(async (caller) => send("GET", path, undefined, caller));
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      return Object.fromEntries(callers.map((caller, index) => [caller, statuses[index]]));
    },
  };
}

function fault(field: string, message: string): object {
  const type = "ValidationFailedMessage";
  const error = { type, message: "The request is not valid.", fields: [{ field, message }] };
  return { status: 400, body: { errors: [error] } };
}

describe.each(["sqlite", "postgres"])("%s", (database) => {
  const newUrl = async (): Promise<string> => {
    if (database === "sqlite") return `sqlite:${join(temporaryFolder(), "recipes.db")}`;
    const url = schemaUrl(inject("postgresUrl"));
    await makeSchema(url);
    return url;
  };

  test("sales by month: twelve months, exact sums, and only for managers", async () => {
    const { at, create, send, read, access } = await started(await newUrl());
    const [none, ...months] = Array.from({ length: 13 }, (_, month) => ({
      month: `2026-${String(month).padStart(2, "0")}`,
      count: 0,
      total: "0.00",
    }));
    expect(none?.month).toBe("2026-00");
    expect(await read("reports/sales?year=2026")).toEqual({ results: months });

    const { productId } = await create("products", { name: "Postcard" });
    const order = async (time: string, ...prices: readonly string[]): Promise<void> => {
      at(time);
      const lines = prices.map((agreedPrice) => ({
        product: { productId },
        quantity: 3,
        agreedPrice,
      }));
      await create("orders", { lines });
    };
    await order("2025-12-31T23:59:59.999Z", "100");
    await order("2026-01-01T00:00:00.000Z", "0.35", "0.10");
    await order("2026-01-31T23:59:59.999Z", "0.07");
    await order("2026-03-15T12:00:00.000Z", "999999.99", "0.01");
    await order("2026-12-31T23:59:59.999Z", "0.01");
    await order("2027-01-01T00:00:00.000Z", "200");
    const sold: Readonly<Record<number, object>> = {
      0: { count: 2, total: "1.56" },
      2: { count: 1, total: "3000000.00" },
      11: { count: 1, total: "0.03" },
    };
    const results = months.map((month, index) => ({ ...month, ...sold[index] }));
    expect(await read("reports/sales?year=2026")).toEqual({ results });

    const year = fault("year", "must be a year, such as 2026");
    for (const query of ["", "?year=", "?year=26", "?year=2026-01", "?year=x'--"]) {
      expect(await send("GET", `reports/sales${query}`)).toEqual(year);
    }
    const statuses = { nobody: 401, guest: 403, clerk: 403, manager: 200 };
    expect(await access("reports/sales?year=2026")).toEqual(statuses);
  });

  test("free rooms: one that is left when another time begins is free, and no two bookings overlap", async () => {
    const url = await newUrl();
    const first = await started(url);
    const { create, send, read, access } = first;
    const time = (text: string): string => `2026-03-02T${text}:00.000Z`;
    const free = async (from: string, to: string): Promise<unknown> => {
      const path = `reports/freerooms?from=${time(from)}&to=${time(to)}`;
      const { results } = (await read(path)) as { readonly results: readonly Body[] };
      return results.map(({ name, ...rest }) => {
        expect(Object.keys(rest)).toEqual(["roomId"]);
        return name;
      });
    };
    expect(await free("09:00", "10:00")).toEqual([]);
    const { roomId } = await create("rooms", { name: "North" });
    const { roomId: other } = await create("rooms", { name: "East" });
    expect(await read(`reports/freerooms?from=${time("09:00")}&to=${time("10:00")}`)).toEqual({
      results: [
        { roomId: other, name: "East" },
        { roomId, name: "North" },
      ],
    });

    const booking = (start: string, end: string, id: unknown = roomId): Body => ({
      room: { roomId: id },
      start: time(start),
      end: time(end),
    });
    const { bookingId } = await create("bookings", booking("09:00", "10:00"));
    const asked = [
      ["08:00", "09:00", true],
      ["10:00", "11:00", true],
      ["08:00", "09:01", false],
      ["09:59", "11:00", false],
      ["09:15", "09:30", false],
      ["08:00", "11:00", false],
      ["09:00", "10:00", false],
    ] as const;
    for (const [from, to, isFree] of asked) {
      expect(await free(from, to), `${from} to ${to}`).toEqual(
        isFree ? ["East", "North"] : ["East"],
      );
    }

    const taken = fault("room.roomId", "is taken at this time");
    expect(await send("POST", "bookings", booking("09:59", "10:30"))).toEqual(taken);
    const late = fault("end", "must be later than start");
    expect(await send("POST", "bookings", booking("12:00", "12:00"))).toEqual(late);
    await create("bookings", booking("10:00", "11:00"));
    await create("bookings", booking("09:00", "10:00", other));
    const path = `bookings/${String(bookingId)}`;
    expect((await send("PATCH", path, { end: time("09:30") })).status).toBe(200);
    expect((await send("PATCH", path, { end: time("10:00") })).status).toBe(200);
    expect(await send("PATCH", path, { end: time("10:01") })).toEqual(taken);
    expect(await send("PATCH", path, { room: { roomId: other } })).toEqual(taken);

    // On PostgreSQL, another instance takes every second request.
    const instances = database === "sqlite" ? [first] : [first, await started(url)];
    for (const hour of [14, 15, 16, 17, 18]) {
      const posts = Array.from({ length: 8 }, async (_, index) => {
        const { send: post } = instances[index % instances.length] ?? first;
        return post("POST", "bookings", booking(`${hour}:0${index}`, `${hour + 1}:00`));
      });
      const statuses = (await Promise.all(posts)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
    }

    const form = "must be a time, such as 2026-03-02T09:00:00.000Z";
    for (const query of ["", "?from=2026-03-02", "?from=2026-02-30T09:00:00.000Z"]) {
      expect(await send("GET", `reports/freerooms${query}`)).toEqual(fault("from", form));
    }
    const from = `reports/freerooms?from=${time("09:00")}`;
    expect(await send("GET", from)).toEqual(fault("to", form));
    expect(await send("GET", `${from}&to=${time("09:00")}`)).toEqual(
      fault("to", "must be later than from"),
    );
    const everybody = { nobody: 401, guest: 200, clerk: 200, manager: 200 };
    expect(await access(`${from}&to=${time("10:00")}`)).toEqual(everybody);
  });

  test("stock below its minimum: a product at its minimum, or without one, is not listed", async () => {
    const { create, read, access } = await started(await newUrl());
    expect(await read("reports/lowstock")).toEqual({ results: [] });
    const product = async (
      name: string,
      minimumStock: number | null,
      ...moved: readonly number[]
    ): Promise<unknown> => {
      const { productId } = await create("products", { name, minimumStock });
      const below = `products/${String(productId)}/movements`;
      for (const quantity of moved) await create(below, { quantity });
      return productId;
    };
    await product("at its minimum", 5, 10, -5);
    const below = await product("below", 5, 10, -5, -1);
    await product("above", 5, 6);
    await product("without a minimum", null, -3);
    await product("of zero", 0);
    const oversold = await product("oversold", 0, 2, -3);
    const never = await product("never moved", 1);
    expect(await read("reports/lowstock")).toEqual({
      results: [
        { productId: below, name: "below", minimumStock: 5, stock: 4 },
        { productId: never, name: "never moved", minimumStock: 1, stock: 0 },
        { productId: oversold, name: "oversold", minimumStock: 0, stock: -1 },
      ],
    });
    const statuses = { nobody: 401, guest: 403, clerk: 200, manager: 200 };
    expect(await access("reports/lowstock")).toEqual(statuses);
  });
});
