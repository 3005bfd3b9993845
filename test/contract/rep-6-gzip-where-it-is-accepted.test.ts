import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Answer } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const SMALLEST = 1400;
const service = await startService();
const bare = await service.send("POST", "/api/v1/widgets", { body: { name: "drill", note: "a" } });

/** The path of a widget whose body has exactly that many bytes. */
async function widgetOf(bytes: number): Promise<string> {
  const note = "a".repeat(bytes - bare.bytes.length + 1);
  const { widgetId } = await service.create("/api/v1/widgets", { name: "drill", note });
  const path = `/api/v1/widgets/${String(widgetId)}`;
  expect((await service.send("GET", path)).bytes).toHaveLength(bytes);
  return path;
}

const small = await widgetOf(SMALLEST - 1);
const large = await widgetOf(SMALLEST);

async function get(path: string, accepted: string): Promise<Answer> {
  return service.send("GET", path, { headers: { "accept-encoding": accepted } });
}

function variesOn({ headers }: Answer): readonly string[] {
  return (headers.vary ?? "").toLowerCase().split(/ *, */);
}

test.each(["gzip;q=0.001, identity;q=0", "*", "x-gzip", "X-GZIP;q=0.5, identity;q=0.1"])(
  "a body of 1,400 bytes is compressed for Accept-Encoding: %s",
  async (accepted) => {
    const plain = await service.send("GET", large);
    const answer = await get(large, accepted);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect([...answer.bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
    expect(gunzipSync(answer.bytes)).toEqual(plain.bytes);
    expect(variesOn(answer)).toContain("accept-encoding");
  },
);

test.each(["", "x-gzip;q=0", "gzip;q=0, *", "gzip;q=0.5, identity;q=0.9", "*;q=0"])(
  "it is sent as it is for Accept-Encoding: %j",
  async (accepted) => {
    const answer = await get(large, accepted);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.json["name"]).toBe("drill");
    // A cache must not hand the plain body to who accepts gzip either.
    expect(variesOn(answer)).toContain("accept-encoding");
  },
);

test("the length that is announced is that of what is sent", async () => {
  expect((await get(small, "gzip")).headers).not.toHaveProperty("content-encoding");
  for (const accepted of ["gzip", "identity"]) {
    const answer = await get(large, accepted);
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
  }
});

test("bytes are counted, not characters", async () => {
  const note = "é".repeat(SMALLEST / 2);
  const { widgetId } = await service.create("/api/v1/widgets", { name: "drill", note });
  const answer = await get(`/api/v1/widgets/${String(widgetId)}`, "gzip");
  expect(answer.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(answer.bytes).toString("utf8")).toContain(note);
});

test("created entities, collections, very large ones and the OpenAPI document are compressed as well", async () => {
  const headers = { "accept-encoding": "gzip" };
  const body = { name: "drill", note: "b".repeat(10_000) };
  const created = await service.send("POST", "/api/v1/widgets", { headers, body });
  expect(created.headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(created.bytes).toString())).toMatchObject(body);
  for (let count = 0; count < 20; count++) await service.create("/api/v1/widgets", body);
  for (const path of ["/api/v1/widgets?pageSize=100", "/api/v1/openapi.json"]) {
    const plain = await service.send("GET", path);
    expect(plain.bytes.length).toBeGreaterThan(30_000);
    const answer = await get(path, "gzip");
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(answer.bytes)).toEqual(plain.bytes);
  }
});

test("a long error is compressed, a short one is not", async () => {
  const headers = { "accept-encoding": "gzip" };
  const names = Array.from({ length: 40 }, (_, index) => [`unknownName${index}`, 1]);
  const body = Object.fromEntries(names);
  const long = await service.send("POST", "/api/v1/widgets", { headers, body });
  expect(long.status).toBe(400);
  expect(long.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(long.bytes).toString()).toContain("ValidationFailedMessage");
  const short = await service.send("POST", "/api/v1/widgets", { headers, body: {} });
  expectError(short, 400, "ValidationFailedMessage");
});

test("HEAD says what GET would, and an empty answer has no encoding", async () => {
  const headers = { "accept-encoding": "gzip" };
  const head = await service.send("HEAD", large, { headers });
  const got = await get(large, "gzip");
  expect(head.bytes).toHaveLength(0);
  expect(head.headers["content-encoding"]).toBe("gzip");
  expect(head.headers["content-length"]).toBe(got.headers["content-length"]);
  expect(head.headers.vary).toBe(got.headers.vary);
  const deleted = await service.send("DELETE", small, { headers });
  expect(deleted.status).toBe(204);
  expect(deleted.headers).not.toHaveProperty("content-encoding");
});
