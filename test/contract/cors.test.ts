import { expect, test } from "vitest";
import { startService } from "./support/service.js";

const PAGE = "https://app.example.com";
const service = await startService("limited");
const other = await startService("contract");

const ask = async (path: string, headers: Readonly<Record<string, string>>, method = "GET") =>
  fetch(service.url + path, { method, headers });

test.each([
  ["/api/v1/notes", 200],
  ["/api/v1/nowhere", 404],
  ["/api/v1/notes?colour=red", 400],
])("a page of a listed origin may read what %s answers, %d", async (path, status) => {
  const answer = await ask(path, { origin: PAGE });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
  expect(answer.headers.get("access-control-expose-headers")).toContain("Location");
  expect(answer.headers.get("vary")).toContain("Origin");
});

test("a preflight is answered for any path and method", async () => {
  const headers = { origin: PAGE, "access-control-request-method": "PUT" };
  const answer = await ask("/api/v1/notes", headers, "OPTIONS");
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
  expect(answer.headers.get("access-control-allow-headers")).toContain("If-Match");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  // Without the header it is the OPTIONS of the contract (OPS-9).
  const plain = await ask("/api/v1/notes", { origin: PAGE }, "OPTIONS");
  expect(plain.headers.get("allow")).toContain("GET");
});

test("what a plugin varies by is kept", async () => {
  const { url } = await startService("limited", {
    extension: {
      ...{ provided: {}, routes: [], checks: {}, onStop: () => undefined },
      plugins: (app) => {
        app.addHook("onRequest", async (_request, reply) => {
          reply.header("vary", ["X-Tenant", "accept-encoding"]);
        });
      },
    },
  });
  for (const path of ["/api/v1/notes", "/api/v1/openapi.json"]) {
    const { headers } = await fetch(url + path);
    expect(headers.get("vary")).toBe("X-Tenant, accept-encoding, Origin");
  }
});

test("a page of another origin may not, and nobody may where nothing is said", async () => {
  const answer = await ask("/api/v1/notes", { origin: "https://evil.example.com" });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  expect(answer.headers.get("vary")).toContain("Origin");
  const silent = await fetch(`${other.url}/api/v1/widgets`, { headers: { origin: PAGE } });
  expect(silent.headers.get("access-control-allow-origin")).toBeNull();
});
