import { expect, test } from "vitest";
import { parseAnswer, type Answer } from "./support/client.js";
import { at, expectError, expectFields } from "./support/errors.js";
import { DEPTHS } from "./support/full-bodies.js";
import { startService } from "./support/service.js";

const BODY_BYTES = 1024 * 1024;
const URL_BYTES = 8 * 1024;
const HEADER_BYTES = 16 * 1024;
const JSON_TYPE = { "content-type": "application/json" };
const service = await startService();
const { widgetId } = await service.create("/api/v1/widgets", { name: "drill" });
const one = `/api/v1/widgets/${String(widgetId)}`;

/** A body of exactly that many bytes. */
function bodyOf(bytes: number, text = '{"name":"é"}'): string {
  return text + " ".repeat(bytes - Buffer.byteLength(text));
}

/** A request whose header lines hold exactly that many bytes, line ends included. */
function withHeaders(bytes: number, size = bytes): string {
  let lines = "Host: x\r\nConnection: close\r\n";
  for (let count = 0; bytes - lines.length > size + 100; count++) {
    const name = `X-${count}: `;
    lines += `${name}${"a".repeat(size - name.length - 2)}\r\n`;
  }
  return `GET ${one} HTTP/1.1\r\n${lines}X: ${"a".repeat(bytes - lines.length - 5)}\r\n\r\n`;
}

async function sendRaw(text: string): Promise<Answer> {
  return parseAnswer(await service.raw(text));
}

function nested(depth: number, [open, close]: readonly [string, string]): string {
  return `{"note":${open.repeat(depth - 1)}${close.repeat(depth - 1)}}`;
}

test("a body of 1 MiB is taken, and one of a byte more is refused with 413", async () => {
  const post = async (bytes: number): Promise<Answer> =>
    service.send("POST", "/api/v1/widgets", { headers: JSON_TYPE, body: bodyOf(bytes) });
  expect((await post(BODY_BYTES)).status).toBe(201);
  const error = expectError(await post(BODY_BYTES + 1), 413, "PayloadTooLargeMessage");
  expect(error.description).toContain(String(BODY_BYTES));
  expectError(await post(4 * BODY_BYTES), 413, "PayloadTooLargeMessage");
});

test.each(["PATCH", "PUT"])("so it is for %s, and nothing changes", async (method) => {
  const before = await service.read(one);
  const large = { headers: JSON_TYPE, body: bodyOf(BODY_BYTES + 1) };
  expectError(await service.send(method, one, large), 413, "PayloadTooLargeMessage");
  expect(await service.read(one)).toEqual(before);
  const whole = { headers: JSON_TYPE, body: bodyOf(BODY_BYTES, JSON.stringify(before)) };
  expect((await service.send(method, one, whole)).status).toBe(200);
});

test.each([
  { bytes: BODY_BYTES, status: 201 },
  { bytes: BODY_BYTES + 1, status: 413 },
])(
  "a body of $bytes bytes that does not announce its length is answered $status",
  async (given) => {
    const head = "POST /api/v1/widgets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    const type = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const body = Buffer.from(bodyOf(given.bytes));
    const half = given.bytes >> 1;
    const chunks = [body.subarray(0, half), body.subarray(half)].flatMap((chunk) => [
      `${chunk.length.toString(16)}\r\n`,
      chunk,
      "\r\n",
    ]);
    const answer = parseAnswer(await service.raw(head + type, ...chunks, "0\r\n\r\n"));
    expect(answer.status).toBe(given.status);
    if (given.status === 413) expectError(answer, 413, "PayloadTooLargeMessage");
  },
);

test("a URL of 8 KiB is taken, and one of a byte more is refused with 414", async () => {
  const start = "/api/v1/widgets?name=";
  const list = async (bytes: number): Promise<Answer> =>
    service.send("GET", start + "a".repeat(bytes - start.length));
  expect((await list(URL_BYTES)).status).toBe(200);
  const error = expectError(await list(URL_BYTES + 1), 414, "UriTooLongMessage");
  expect(error.description).toContain(String(URL_BYTES));
});

test.each([10, 20, 30, 100])("a URL of %i KiB is refused with 414 as well", async (kibibytes) => {
  const target = `/api/v1/widgets/${"a".repeat(kibibytes * 1024)}`;
  expectError(await sendRaw(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`), 414, "UriTooLongMessage");
});

test("a path of 8 KiB names nothing, and is told so", async () => {
  const start = "/api/v1/widgets/";
  const path = start + "a".repeat(URL_BYTES - start.length);
  expectError(await service.send("GET", path), 404, "WidgetNotFoundMessage");
});

test.each([
  { what: "one long header", size: HEADER_BYTES },
  { what: "many headers", size: 200 },
])("$what of 16 KiB are taken, and of a byte more are refused with 431", async ({ size }) => {
  expect((await sendRaw(withHeaders(HEADER_BYTES, size))).status).toBe(200);
  const answer = await sendRaw(withHeaders(HEADER_BYTES + 1, size));
  const error = expectError(answer, 431, "HeadersTooLargeMessage");
  expect(error.description).toContain(String(HEADER_BYTES));
});

test.each([26, 40, 100])("headers of %i KiB are refused with 431 as well", async (kibibytes) => {
  const answer = await sendRaw(withHeaders(kibibytes * 1024));
  expectError(answer, 431, "HeadersTooLargeMessage");
});

test("a URL and headers at their limits are taken together", async () => {
  const start = "/api/v1/widgets?name=";
  const target = start + "a".repeat(URL_BYTES - start.length);
  const answer = await sendRaw(withHeaders(HEADER_BYTES).replace(one, target));
  expect(answer.status).toBe(200);
});

test.each([
  { what: "objects", brackets: ['{"a":', "}"] as const, leaf: "1" },
  { what: "lists", brackets: ["[", "]"] as const, leaf: "" },
])("JSON 32 deep is read, and 33 deep is malformed: $what", async ({ brackets, leaf }) => {
  const [open, close] = brackets;
  const post = async (depth: number): Promise<Answer> => {
    const body = nested(depth, [open, close]).replace(close, leaf + close);
    expect(() => JSON.parse(body)).not.toThrow();
    return service.send("POST", "/api/v1/widgets", { headers: JSON_TYPE, body });
  };
  // It is read, and then what it says is wrong.
  expectFields(await post(32), "name", "note");
  const error = expectError(await post(33), 400, "MalformedRequestMessage");
  expect(error.description).toContain("32");
  expectError(await post(50_000), 400, "MalformedRequestMessage");
});

test("brackets in text, and objects beside each other, are not depth", async () => {
  const note = '{["\\"'.repeat(100);
  const parts = Array.from({ length: 5 }, () => ({ label: note }));
  const widget = await service.create("/api/v1/widgets", { name: "drill", note, parts });
  expect(widget["note"]).toBe(note);
});

test.each(DEPTHS)("a list holds 1,000 items and no more $depth", async (place) => {
  const labels = Array.from({ length: 1000 }, () => "a");
  const crate = await service.create("/api/v1/crates", place.bodyWith({ labels }));
  expect(at(crate, `${place.path}labels`)).toEqual(labels);
  const body = place.bodyWith({ labels: [...labels, "a"] });
  const answer = await service.send("POST", "/api/v1/crates", { body });
  const messages = expectFields(answer, `${place.prefix}labels`);
  expect(Object.values(messages)[0]).toContain("1000");
});

test("so does a list of objects", async () => {
  const lots = Array.from({ length: 1000 }, () => ({}));
  const crate = await service.create("/api/v1/crates", { title: "t", lots });
  expect(crate["lots"]).toHaveLength(1000);
  const body = { title: "t", lots: [...lots, {}] };
  expectFields(await service.send("POST", "/api/v1/crates", { body }), "lots");
});

test.each([
  { character: "a", what: "letters" },
  { character: "é", what: "letters of two bytes" },
  { character: "€", what: "characters of three bytes" },
  { character: "😀", what: "emoji, which are two UTF-16 units each" },
])("text holds 10,000 $what and no more", async ({ character }) => {
  for (const { bodyWith, path, prefix } of DEPTHS) {
    const note = character.repeat(10_000);
    const crate = await service.create("/api/v1/crates", bodyWith({ note }));
    expect(at(crate, `${path}note`)).toBe(note);
    const body = bodyWith({ note: note + character });
    const answer = await service.send("POST", "/api/v1/crates", { body });
    const messages = expectFields(answer, `${prefix}note`);
    expect(Object.values(messages)[0]).toMatch(/10000.*10001/);
  }
});

test("an item of a list holds as much, and code points are counted, not what they look like", async () => {
  const label = "e\u0301".repeat(5000);
  const crate = await service.create("/api/v1/crates", { title: "t", labels: [label] });
  expect(crate["labels"]).toEqual([label]);
  const body = { title: "t", labels: ["a", `${label}\u0301`] };
  expectFields(await service.send("POST", "/api/v1/crates", { body }), "labels[1]");
});

test("a property's own bound counts code points too", async () => {
  const name = "😀".repeat(64);
  expect((await service.create("/api/v1/widgets", { name }))["name"]).toBe(name);
  const body = { name: `${name}😀` };
  expectFields(await service.send("POST", "/api/v1/widgets", { body }), "name");
});
