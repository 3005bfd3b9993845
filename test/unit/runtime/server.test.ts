import { gunzipSync } from "node:zlib";

import { afterAll, expect, test } from "vitest";

import { collection, ok } from "#runtime/http/routes";
import { createService } from "#runtime/service/service";
import { StorageUnavailable } from "#runtime/store/database";
import { ask, type Question } from "./fixture/ask.js";
import { plainRegistry } from "./fixture/plain-registry.js";
import { errorTypeOf } from "./fixture/raw.js";

const CANARY = "canary /etc/passwd SELECT";
const routes = [
  collection("/api/v1/broken", {
    GET: () => {
      throw new Error(CANARY);
    },
  }),
  collection("/api/v1/busy", {
    GET: () => {
      throw new StorageUnavailable(CANARY);
    },
  }),
  collection("/api/v1/short", { GET: () => ok(`"${"a".repeat(1397)}"`) }),
  collection("/api/v1/long", { GET: () => ok(`"${"a".repeat(1398)}"`) }),
  collection("/api/v1/huge", { GET: () => ok(`"${"é".repeat(200_000)}"`) }),
];
const service = await createService(plainRegistry({ routes }), {
  configure: (app) => {
    app.get("/own", () => ({ own: true }));
    app.post("/own", (request) => `${(request.body as Buffer).length} bytes`);
    app.get("/own/teapot", () => {
      throw Object.assign(new Error(CANARY), { statusCode: 429 });
    });
    app.get("/own/broken", () => {
      throw new Error(CANARY);
    });
  },
});
const url = await service.listen();
afterAll(() => service.close());

const ID = "0192aaaa-0000-7000-8000-000000000000";
const TICKETS = "/api/v1/tickets";

test.each([
  ["GET", "/", "404 PathNotFoundMessage"],
  ["GET", "/apix", "404 PathNotFoundMessage"],
  ["GET", "/api", "404 VersionNotFoundMessage"],
  ["GET", "/api/tickets", "404 VersionNotFoundMessage"],
  ["GET", "/api/V1/tickets", "404 VersionNotFoundMessage"],
  ["GET", "/api/v01/tickets", "404 VersionNotFoundMessage"],
  ["GET", "/api/v1.0/tickets", "404 VersionNotFoundMessage"],
  ["GET", "/api/v2/tickets", "404 VersionNotFoundMessage"],
  ["GET", "/api/v1", "404 PathNotFoundMessage"],
  ["GET", "/api/v1/Tickets", "404 PathNotFoundMessage"],
  ["GET", "/api/v1/tickets/", "404 PathNotFoundMessage"],
  ["GET", "/api/v1//tickets", "404 PathNotFoundMessage"],
  ["GET", "//api/v1/tickets", "404 PathNotFoundMessage"],
  ["GET", "/api/v1/./tickets", "404 PathNotFoundMessage"],
  ["GET", "/api/v1/x/../tickets", "404 PathNotFoundMessage"],
  ["GET", "/api/v1/%2e%2e/v1/tickets", "404 PathNotFoundMessage"],
  ["GET", `/api/v1/tickets/${ID}/x`, "404 PathNotFoundMessage"],
  ["GET", `/${"a/".repeat(1000)}`, "404 PathNotFoundMessage"],
  ["POST", "/api/v1/nowhere", "404 PathNotFoundMessage"],
  ["OPTIONS", "/api/v1/nowhere", "404 PathNotFoundMessage"],
  ["GET", "/api/v1/tickets/1", "404 TicketNotFoundMessage"],
  ["GET", "/api/v1/tickets/constructor", "404 TicketNotFoundMessage"],
  ["GET", "/api/v1/tickets/%zz", "404 TicketNotFoundMessage"],
  ["GET", `/api/v1/tickets/%7B${ID}%7D`, "404 TicketNotFoundMessage"],
  ["GET", `/api/v1/tickets/${ID}.json`, "404 TicketNotFoundMessage"],
  ["GET", `/api/v1/tickets/${"a".repeat(5000)}`, "404 TicketNotFoundMessage"],
  ["DELETE", "/api/v1/tickets/1", "404 TicketNotFoundMessage"],
  ["PUT", "/api/v1/tickets", "405 MethodNotAllowedMessage"],
  ["PATCH", "/api/v1/tickets", "405 MethodNotAllowedMessage"],
  ["POST", `/api/v1/tickets/${ID}`, "405 MethodNotAllowedMessage"],
  ["POST", "/healthz", "405 MethodNotAllowedMessage"],
  ["GET", "/docs/static/nothing.js", "404 PathNotFoundMessage"],
  ["GET", "/docs/static/../../package.json", "404 PathNotFoundMessage"],
  ["GET", "/docs/static/%2e%2e/package.json", "404 PathNotFoundMessage"],
])("%s %s is %s", async (method, path, want) => {
  const answer = await ask(url, method, path);
  expect(`${answer.status} ${errorTypeOf(answer)}`).toBe(want);
});

test("a version that is not served is answered with those that are", async () => {
  expect((await ask(url, "GET", "/api/tickets")).body).toContain("Served: v1.");
});

test.each([
  ["PUT", TICKETS, "GET, HEAD, OPTIONS, POST"],
  ["POST", `${TICKETS}/${ID}`, "DELETE, GET, HEAD, OPTIONS, PATCH"],
  ["TRACE", TICKETS, "GET, HEAD, OPTIONS, POST"],
  ["OPTIONS", TICKETS, "GET, HEAD, OPTIONS, POST"],
  ["OPTIONS", `${TICKETS}/${ID}`, "DELETE, GET, HEAD, OPTIONS, PATCH"],
])("%s %s tells what is allowed", async (method, path, allow) => {
  const answer = await ask(url, method, path);
  expect(answer.headers["allow"]).toBe(allow);
  expect(answer.status).toBe(method === "OPTIONS" ? 204 : 405);
  expect(answer.headers["x-request-id"]).toBeTruthy();
});

test.each([TICKETS, `${TICKETS}/${ID}`, "/api/v1/long", "/api/v1/openapi.json", "/nowhere"])(
  "HEAD %s has the headers of GET and no body",
  async (path) => {
    const id = { "x-request-id": "same", "accept-encoding": "gzip" };
    const get = await ask(url, "GET", path, { headers: id });
    const head = await ask(url, "HEAD", path, { headers: id });
    expect(head.body).toBe("");
    expect({ ...head.headers, date: "" }).toEqual({ ...get.headers, date: "" });
    expect(head.status).toBe(get.status);
    expect(Number(head.headers["content-length"])).toBe(get.bytes.length);
  },
);

const JSON_BODY = { body: "{}" };
test.each<[string, string, Question, string]>([
  ["GET", TICKETS, { headers: { accept: "application/xml" } }, "406 NotAcceptableMessage"],
  ["GET", TICKETS, { headers: { accept: "application/json;q=0" } }, "406 NotAcceptableMessage"],
  ["POST", TICKETS, { ...JSON_BODY, headers: { accept: "text/html" } }, "406 NotAcceptableMessage"],
  ["POST", TICKETS, JSON_BODY, "415 UnsupportedMediaTypeMessage"],
  ["POST", TICKETS, typed("text/plain"), "415 UnsupportedMediaTypeMessage"],
  ["POST", TICKETS, typed("multipart/form-data; boundary=x"), "415 UnsupportedMediaTypeMessage"],
  ["POST", TICKETS, typed("application/json; charset=latin1"), "415 UnsupportedMediaTypeMessage"],
  ["POST", TICKETS, typed("application/merge-patch+json"), "415 UnsupportedMediaTypeMessage"],
  ["POST", TICKETS, typed("application/vnd.api+json"), "415 UnsupportedMediaTypeMessage"],
  [
    "PATCH",
    `${TICKETS}/${ID}`,
    typed("application/json-patch+json"),
    "415 UnsupportedMediaTypeMessage",
  ],
  [
    "POST",
    TICKETS,
    typed("application/json", { "content-encoding": "gzip" }),
    "415 UnsupportedMediaTypeMessage",
  ],
  ["POST", TICKETS, typed("application/json", {}, "x".repeat(4097)), "413 PayloadTooLargeMessage"],
  ["POST", TICKETS, typed("text/plain", {}, "x".repeat(4097)), "415 UnsupportedMediaTypeMessage"],
  ["PATCH", `${TICKETS}/1`, typed("application/json"), "404 TicketNotFoundMessage"],
  [
    "PATCH",
    `${TICKETS}/1`,
    typed("application/json", {}, "x".repeat(4097)),
    "413 PayloadTooLargeMessage",
  ],
  ["POST", TICKETS, typed("application/json", {}, ""), "400 MalformedRequestMessage"],
  ["POST", TICKETS, {}, "400 MalformedRequestMessage"],
  ["POST", TICKETS, typed("application/json", {}, "[1]"), "400 MalformedRequestMessage"],
  ["POST", TICKETS, typed("application/json", {}, `{"a":1,"a":2}`), "400 MalformedRequestMessage"],
])("%s %s with %o is %s", async (method, path, question, want) => {
  const answer = await ask(url, method, path, question);
  expect(`${answer.status} ${errorTypeOf(answer)}`).toBe(want);
});

function typed(type: string, headers: Record<string, string> = {}, body = "{}"): Question {
  return { body, headers: { "content-type": type, ...headers } };
}

test.each([
  ["POST", TICKETS, "application/json"],
  ["POST", TICKETS, "Application/JSON; Charset=UTF-8"],
  ["POST", TICKETS, `application/json; charset="utf-8"; profile=x`],
  ["PATCH", `${TICKETS}/${ID}`, "application/merge-patch+json; charset=utf-8"],
])("%s %s takes a body of type %s", async (method, path, type) => {
  expect((await ask(url, method, path, typed(type, {}, `{"a":1}`))).body).toBe(`{"a":1}`);
});

test.each([
  "*/*",
  "application/*",
  "application/json; charset=utf-8",
  "text/html, */*;q=0.1",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
])("Accept: %s is answered with JSON", async (accept) => {
  const answer = await ask(url, "GET", TICKETS, { headers: { accept } });
  expect([answer.status, answer.headers["content-type"]]).toEqual([
    200,
    "application/json; charset=utf-8",
  ]);
});

test("Location is absolute, whatever the Host header says", async () => {
  const answer = await ask(url, "POST", TICKETS, { json: {}, headers: { host: "evil.example" } });
  expect(answer.headers["location"]).toBe(`${url}${TICKETS}/1`);
});

test("BASE_URL decides where Location points", async () => {
  const other = await createService(plainRegistry(), { baseUrl: "https://api.example.com/desk" });
  const { port } = (other.app.server.address() as { port: number } | null) ?? { port: 0 };
  expect(port).toBe(0);
  expect(await other.listen()).toBe("https://api.example.com/desk");
  const address = other.app.server.address() as { port: number };
  const answer = await ask(`http://127.0.0.1:${address.port}`, "POST", TICKETS, { json: {} });
  expect(answer.headers["location"]).toBe(`https://api.example.com/desk${TICKETS}/1`);
  await other.close();
});

test.each([
  ["abc-1.2_3", true],
  ["a".repeat(64), true],
  ["a".repeat(65), false],
  ["a b", false],
  ["x'; DROP TABLE", false],
])("the request id %s is taken over: %s", async (sent, taken) => {
  const answer = await ask(url, "GET", TICKETS, { headers: { "x-request-id": sent } });
  expect(answer.headers["x-request-id"] === sent).toBe(taken);
});

test("no two requests get the same id", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(url, "GET", "/nowhere")));
  expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(50);
});

test.each([
  ["/api/v1/broken", "500 InternalErrorMessage"],
  ["/api/v1/busy", "503 ServiceUnavailableMessage"],
  ["/own/broken", "500 InternalErrorMessage"],
])("%s says nothing of the inside, but its request id", async (path, want) => {
  const answer = await ask(url, "GET", path, { headers: { "x-request-id": "find-me" } });
  expect(`${answer.status} ${errorTypeOf(answer)}`).toBe(want);
  expect(answer.body).toContain("find-me");
  expect(answer.body).not.toContain("canary");
  expect(answer.headers["retry-after"]).toBe(answer.status === 503 ? "1" : undefined);
});

test.each([
  ["/api/v1/short", "gzip", undefined, undefined],
  ["/api/v1/long", undefined, undefined, "Accept-Encoding"],
  ["/api/v1/long", "gzip", "gzip", "Accept-Encoding"],
  ["/api/v1/long", "br, gzip;q=0.5", "gzip", "Accept-Encoding"],
  ["/api/v1/long", "*", "gzip", "Accept-Encoding"],
  ["/api/v1/long", "gzip;q=0", undefined, "Accept-Encoding"],
  ["/api/v1/long", "gzip;q=0, identity;q=0", undefined, "Accept-Encoding"],
  ["/api/v1/long", "identity, gzip;q=0.5", undefined, "Accept-Encoding"],
  ["/api/v1/long", "br", undefined, "Accept-Encoding"],
  ["/api/v1/huge", "gzip, deflate, br", "gzip", "Accept-Encoding"],
])("%s with Accept-Encoding %s is encoded as %s", async (path, accepted, encoding, vary) => {
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  const answer = await ask(url, "GET", path, { headers });
  expect(answer.headers["content-encoding"]).toBe(encoding);
  expect(answer.headers["vary"]).toBe(vary);
  expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
  const body = encoding === "gzip" ? gunzipSync(answer.bytes).toString("utf8") : answer.body;
  expect(body).toBe((await ask(url, "GET", path)).body);
});

test("the user's own routes work beside the contract's, and fail in its form", async () => {
  expect((await ask(url, "GET", "/own")).body).toBe(`{"own":true}`);
  expect((await ask(url, "POST", "/own", { json: {} })).body).toBe("2 bytes");
  const refused = await ask(url, "GET", "/own/teapot");
  expect(`${refused.status} ${errorTypeOf(refused)}`).toBe("429 TooManyRequestsMessage");
  expect(refused.body).not.toContain("canary");
});

test("the query reaches the handler as it was sent", async () => {
  expect((await ask(url, "GET", `${TICKETS}?a=%20b&a=+c`)).body).toBe(`{"search":"a=%20b&a=+c"}`);
});

test("an identifier in upper case is lower case inside", async () => {
  const answer = await ask(url, "GET", `${TICKETS}/${ID.toUpperCase()}`);
  expect(answer.body).toBe(JSON.stringify({ id: ID }));
});
