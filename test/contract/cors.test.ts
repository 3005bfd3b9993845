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

test.each([
  { what: "a long URL", target: `/api/v1/notes?${"x".repeat(9000)}`, header: "", status: 414 },
  { what: "a longer one", target: `/api/v1/notes?${"x".repeat(40_000)}`, header: "", status: 414 },
  { what: "a long header", target: "/api/v1/notes", header: "x".repeat(17_000), status: 431 },
  { what: "a longer one", target: "/api/v1/notes", header: "x".repeat(60_000), status: 431 },
])("a page of a listed origin may read $status for $what", async ({ target, header, status }) => {
  const head = (origin: string): string =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nX-Long: ${header}\r\n\r\n`;
  const answer = (await service.raw(head(PAGE))).toString().toLowerCase();
  expect(answer).toContain(`http/1.1 ${status}`);
  expect(answer).toContain(`access-control-allow-origin: ${PAGE}\r\n`);
  expect(answer).toContain("vary: origin\r\n");
  const refused = (await service.raw(head("https://evil.example.com"))).toString().toLowerCase();
  expect(refused).toContain(`http/1.1 ${status}`);
  expect(refused).not.toContain("access-control-allow-origin");
});

test.each(["/api/v1/notes", "/api/v1/nowhere", "/nowhere"])(
  "a preflight is answered for any method, and for %s, so that a page can read the 404",
  async (path) => {
    const headers = { origin: PAGE, "access-control-request-method": "PUT" };
    const answer = await ask(path, headers, "OPTIONS");
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(answer.headers.get("access-control-allow-headers")).toContain("If-Match");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    // Without the header it is the OPTIONS of the contract (OPS-9).
    const plain = await ask("/api/v1/notes", { origin: PAGE }, "OPTIONS");
    expect(plain.headers.get("allow")).toContain("GET");
  },
);

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
