import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const JSON_TYPE = "application/json; charset=utf-8";
const BODY = '{ "name": "drill" }';
const WIDGETS = "/api/v1/widgets";
const service = await startService();
const widget = await service.create(WIDGETS, { name: "drill" });
const path = `${WIDGETS}/${String(widget["widgetId"])}`;

test("answers that no resource gives are JSON as well, and one without a body has no type", async () => {
  for (const [method, target] of [
    ["HEAD", path],
    ["GET", "/api/v1/openapi.json"],
    ["GET", "/healthz"],
    ["GET", "/nothing"],
  ] as const) {
    expect((await service.send(method, target)).headers["content-type"]).toBe(JSON_TYPE);
  }
  const gone = await service.create(WIDGETS, { name: "gone" });
  for (const [method, target] of [
    ["OPTIONS", path],
    ["DELETE", `${WIDGETS}/${String(gone["widgetId"])}`],
  ] as const) {
    const { status, headers, bytes } = await service.send(method, target);
    expect([status, headers["content-type"], bytes.length]).toEqual([204, undefined, 0]);
  }
});

test("a character set may stand in quotes, and the type of a request without a body is of no account", async () => {
  const headers = { "content-type": 'application/json; charset="utf-8"' };
  expect((await service.send("POST", WIDGETS, { headers, body: BODY })).status).toBe(201);
  const others = { "content-type": "text/plain" };
  expect((await service.send("GET", path, { headers: others })).status).toBe(200);
});

test.each([
  ...["multipart/form-data; boundary=x", "application/jsonp", "application/json, text/plain"],
  ...["application", "", "*/*"],
])("a body of type %j is refused with 415", async (type) => {
  const headers = { "content-type": type };
  for (const [method, target] of [
    ["POST", WIDGETS],
    ["PUT", path],
  ] as const) {
    const answer = await service.send(method, target, { headers, body: BODY });
    const error = expectError(answer, 415, "UnsupportedMediaTypeMessage");
    expect(error.description).toContain("application/json");
  }
});

// RFC 9110 15.5.16: it says what is wrong.
test("a refusal says whether the type or the encoding is wrong", async () => {
  const untyped = await service.send("PATCH", path, { body: BODY });
  expectError(untyped, 415, "UnsupportedMediaTypeMessage");
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const encoded = await service.send("PATCH", path, { headers, body: BODY });
  expect(expectError(encoded, 415, "UnsupportedMediaTypeMessage")).toMatchObject({
    message: "A body of this type or encoding is not accepted.",
    description: "Send the body without Content-Encoding.",
  });
  expect(encoded.headers["accept-encoding"]).toBe("identity");
  expect(encoded.headers).not.toHaveProperty("accept");
  expect(untyped.headers.accept).toMatch(/^application\/json\b/);
  expect(untyped.headers).not.toHaveProperty("accept-encoding");
});

test.each([
  ...["text/html, */*;q=0.1", "text/html;q=1, application/*;q=0.5", "APPLICATION/JSON", "", " , "],
])("JSON is answered for Accept: %s", async (accept) => {
  const answer = await service.send("GET", path, { headers: { accept } });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, JSON_TYPE]);
});

test.each(["application/json;q=0, */*", "*/*;q=0", "image/png, text/plain;q=0.5"])(
  "406, in JSON, is answered for Accept: %s",
  async (accept) => {
    for (const [method, target] of [
      ["GET", path],
      ["POST", WIDGETS],
      ["PATCH", path],
    ] as const) {
      const sent = { headers: { accept }, ...(method !== "GET" && { body: { name: "drill" } }) };
      expectError(await service.send(method, target, sent), 406, "NotAcceptableMessage");
    }
  },
);
