import { expect, test } from "vitest";
import { parseAnswer } from "./support/client.js";
import { expectError, expectFields } from "./support/errors.js";
import { startService } from "./support/service.js";

const JSON_TYPE = "application/json; charset=utf-8";
const BODY = '{ "name": "drill" }';
const service = await startService();
const widget = await service.create("/api/v1/widgets", { name: "drill" });
const path = `/api/v1/widgets/${String(widget["widgetId"])}`;

test("every answer with a body is JSON in UTF-8", async () => {
  const body = { name: "drill é 😀" };
  const created = await service.send("POST", "/api/v1/widgets", { body });
  const answers = [
    created,
    await service.send("GET", path),
    await service.send("HEAD", path),
    await service.send("PATCH", path, { body }),
    await service.send("PUT", path, { body: { ...widget, ...body } }),
    await service.send("GET", "/api/v1/widgets"),
    await service.send("GET", "/api/v1/openapi.json"),
    await service.send("GET", "/healthz"),
    await service.send("GET", "/nothing"),
    await service.send("PUT", "/api/v1/widgets", { body }),
  ];
  for (const { headers, status } of answers)
    expect(headers["content-type"], `${status}`).toBe(JSON_TYPE);
  expect(created.bytes.includes(Buffer.from("drill é 😀", "utf8"))).toBe(true);
});

test.each([
  { what: "bytes that are no request", bytes: "GET\r\n\r\n" },
  { what: "a request without a host", bytes: "GET /api/v1/widgets HTTP/1.1\r\n\r\n" },
  { what: "CONNECT", bytes: "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n" },
  { what: "an unknown method", bytes: "BREW / HTTP/1.1\r\nHost: x\r\n\r\n" },
])("so is the answer to $what", async ({ bytes }) => {
  const answer = parseAnswer(await service.raw(bytes));
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.headers["content-type"]).toBe(JSON_TYPE);
  expect(answer.json).toHaveProperty("errors");
});

test("an answer without a body has no type", async () => {
  const options = await service.send("OPTIONS", path);
  const { widgetId } = await service.create("/api/v1/widgets", { name: "short-lived" });
  const deleted = await service.send("DELETE", `/api/v1/widgets/${String(widgetId)}`);
  for (const { status, headers, bytes } of [options, deleted]) {
    expect(status).toBe(204);
    expect(headers).not.toHaveProperty("content-type");
    expect(bytes).toHaveLength(0);
  }
});

test.each([
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
  "Application/JSON",
])("a body of type %s is taken", async (type) => {
  const headers = { "content-type": type };
  expect((await service.send("POST", "/api/v1/widgets", { headers, body: BODY })).status).toBe(201);
  expect((await service.send("PATCH", path, { headers, body: BODY })).status).toBe(200);
  // It is read, and then found to lack properties.
  const replaced = await service.send("PUT", path, { headers, body: BODY });
  expectError(replaced, 400, "ValidationFailedMessage");
});

const OTHER_TYPES = [
  "text/plain",
  "text/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "application/jsonp",
  "application/problem+json",
  "application/json; charset=iso-8859-1",
  "application/json; charset=utf-16",
  "application/json, text/plain",
  "application",
  "",
  "*/*",
];

test.each(OTHER_TYPES)("a body of type %j is refused with 415", async (type) => {
  const headers = { "content-type": type };
  for (const [method, target] of [
    ["POST", "/api/v1/widgets"],
    ["PUT", path],
    ["PATCH", path],
  ] as const) {
    const answer = await service.send(method, target, { headers, body: BODY });
    const error = expectError(answer, 415, "UnsupportedMediaTypeMessage");
    expect(error.description).toContain("application/json");
  }
});

test("so is a body without a type, and one that is compressed", async () => {
  for (const [method, target] of [
    ["POST", "/api/v1/widgets"],
    ["PUT", path],
    ["PATCH", path],
  ] as const) {
    const untyped = await service.send(method, target, { body: BODY });
    expectError(untyped, 415, "UnsupportedMediaTypeMessage");
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const encoded = await service.send(method, target, { headers, body: BODY });
    const error = expectError(encoded, 415, "UnsupportedMediaTypeMessage");
    // RFC 9110 15.5.16: it says what is wrong, and its type is right.
    expect(error).toMatchObject({
      message: "A body of this type or encoding is not accepted.",
      description: "Send the body without Content-Encoding.",
    });
    expect(encoded.headers["accept-encoding"]).toBe("identity");
    expect(encoded.headers).not.toHaveProperty("accept");
    expect(untyped.headers.accept).toMatch(/^application\/json\b/);
    expect(untyped.headers).not.toHaveProperty("accept-encoding");
  }
});

test("a merge patch is a type of PATCH alone", async () => {
  const headers = { "content-type": "application/merge-patch+json" };
  expect((await service.send("PATCH", path, { headers, body: BODY })).status).toBe(200);
  for (const [method, target] of [
    ["POST", "/api/v1/widgets"],
    ["PUT", path],
  ] as const) {
    const answer = await service.send(method, target, { headers, body: BODY });
    expectError(answer, 415, "UnsupportedMediaTypeMessage");
  }
});

test("nothing is stored of a body that is refused for its type", async () => {
  const before = (await service.read("/api/v1/widgets"))["itemCount"];
  const headers = { "content-type": "text/plain" };
  await service.send("POST", "/api/v1/widgets", { headers, body: BODY });
  expect((await service.read("/api/v1/widgets"))["itemCount"]).toBe(before);
});

test.each([
  "application/json",
  "application/json; charset=utf-8",
  "application/*",
  "*/*",
  "text/html, application/json;q=0.1",
  "text/html, */*;q=0.1",
  "text/html;q=1, application/*;q=0.5",
  "APPLICATION/JSON",
  "",
  " , ",
])("JSON is answered for Accept: %s", async (accept) => {
  const answer = await service.send("GET", path, { headers: { accept } });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe(JSON_TYPE);
});

test.each([
  "text/html",
  "application/xml",
  "text/*",
  "application/json;q=0",
  "application/json;q=0, text/html",
  "*/*;q=0",
  "image/png, text/plain;q=0.5",
])("406, in JSON, is answered for Accept: %s", async (accept) => {
  const headers = { accept };
  expectError(await service.send("GET", path, { headers }), 406, "NotAcceptableMessage");
  expectError(
    await service.send("GET", "/api/v1/widgets", { headers }),
    406,
    "NotAcceptableMessage",
  );
  const body = { name: "drill" };
  const created = await service.send("POST", "/api/v1/widgets", { headers, body });
  expectError(created, 406, "NotAcceptableMessage");
  const patched = await service.send("PATCH", path, { headers, body });
  expectError(patched, 406, "NotAcceptableMessage");
});

test("a type beside a request that has no body is of no account", async () => {
  const headers = { "content-type": "text/plain" };
  expect((await service.send("GET", path, { headers })).status).toBe(200);
});

test("JSON that breaks a rule is of the right type", async () => {
  expectFields(await service.send("POST", "/api/v1/widgets", { body: {} }), "name");
});
