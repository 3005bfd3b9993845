import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Client, type Answer, type JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const DEPOTS = "/api/v1/depots";
const CONSIGNMENTS = "/api/v1/consignments";
/** Demands If-Match. */
const PERMITS = "/api/v1/permits";
const CLIENTS = 50;
const TIMES = 20;

const service = await startService();
const consignments = await customCode("consignments");
const widgets = await customCode("widgets");

/** A new widget's path. */
async function widget(body: JsonObject = {}): Promise<string> {
  return pathOf(WIDGETS, await service.create(WIDGETS, { name: "drill", size: 0, ...body }));
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return service.send("GET", path, { headers });
}

async function patch(path: string, size: number, headers: Record<string, string> = {}) {
  return service.send("PATCH", path, { body: { size }, headers });
}

const tagOf = ({ headers }: Answer): string => String(headers.etag);

const [, shape = ""] = /^"1-([0-9a-f]{12})"$/.exec(tagOf(await get(await widget()))) ?? [];
const TAG = `"1-${shape}"`;

function expectUnchanged(answer: Answer, tag: string): void {
  expect(answer.status, answer.text).toBe(304);
  expect(answer.headers.etag).toBe(tag);
  expect(answer.bytes).toHaveLength(0);
  expect(answer.headers).not.toHaveProperty("content-type");
  expect(answer.headers).not.toHaveProperty("content-encoding");
  expect(answer.headers["content-length"] ?? "0").toBe("0");
}

test("a list of tags may have empty elements, and what is none is 400 of a change and names nothing on a read", async () => {
  const path = await widget();
  for (const tags of [`"0",${TAG}`, ` ,"0" ,, W/${TAG},`, ['"0"', TAG]]) {
    const headers = { "if-none-match": tags };
    expectUnchanged(await service.send("GET", path, { headers }), TAG);
  }
  for (const tags of [TAG.slice(1, -1), `w/${TAG}`, "", `*, ${TAG}`, `${TAG} ${TAG}`, TAG + TAG]) {
    expect((await get(path, { "if-none-match": tags })).status).toBe(200);
    expectError(await patch(path, 1, { "if-match": tags }), 400, "MalformedRequestMessage");
  }
});

test("a body that is compressed has a tag of its own, which If-Match takes for the same", async () => {
  const GZIP_TAG = `"1-${shape}-gzip"`;
  const path = await widget({ note: "a".repeat(2000) });
  const gzip = { "accept-encoding": "gzip" };
  const plain = await get(path);
  const small = await get(path, gzip);
  expect([tagOf(plain), tagOf(small)]).toEqual([TAG, GZIP_TAG]);
  expect(gunzipSync(small.bytes)).toEqual(plain.bytes);
  const again = await get(path, { ...gzip, "if-none-match": tagOf(small) });
  expectUnchanged(again, GZIP_TAG);
  expect(again.headers.vary).toBe(small.headers.vary);
  // A cache must not give compressed bytes to who cannot read them.
  expect((await get(path, { "if-none-match": tagOf(small) })).status).toBe(200);
  expectUnchanged(await get(path, { "if-none-match": tagOf(plain) }), TAG);
  expect((await patch(path, 1, { ...gzip, "if-match": tagOf(small) })).status).toBe(200);
});

test("what a hook supplies changes the tag", async () => {
  const depot = await service.create(DEPOTS, { name: "north" });
  let name = "Acme";
  consignments.complete = (entities) => {
    for (const entity of entities) entity["merchant"] = { merchantId: MISSING, name };
  };
  const body = { depot: { depotId: depot["depotId"] ?? "" }, merchant: { merchantId: MISSING } };
  const made = await service.send("POST", CONSIGNMENTS, { body });
  const path = pathOf(CONSIGNMENTS, made.json);
  expectUnchanged(await get(path, { "if-none-match": tagOf(made) }), tagOf(made));
  name = "Emca";
  const other = await get(path, { "if-none-match": tagOf(made) });
  expect(other.json["merchant"]).toMatchObject({ name: "Emca" });
  expect(tagOf(other)).not.toBe(tagOf(made));
});

test("a hook that supplies something where nothing is embedded changes the tag as well", async () => {
  const path = await widget();
  let note = "one";
  widgets.complete = (entities) => {
    for (const entity of entities) entity["note"] = note;
  };
  const first = await get(path);
  expect(tagOf(first)).toMatch(/^"1-[\w-]{16}"$/);
  note = "two";
  expect(tagOf(await get(path))).not.toBe(tagOf(first));
});

test("what lets go of a deleted entity has another tag then", async () => {
  const depot = await service.create(DEPOTS, { name: "north" });
  const other = await service.create(DEPOTS, { name: "south" });
  const made = await service.send("POST", CONSIGNMENTS, {
    body: {
      depot: { depotId: other["depotId"] ?? "" },
      returnDepot: { depotId: depot["depotId"] ?? "" },
    },
  });
  expect((await service.send("DELETE", pathOf(DEPOTS, depot))).status).toBe(204);
  const path = pathOf(CONSIGNMENTS, made.json);
  const late = await service.send("PATCH", path, {
    body: { label: "late" },
    headers: { "if-match": tagOf(made) },
  });
  expectError(late, 412, "PreconditionFailedMessage");
  expect((await get(path)).json["returnDepot"]).toBeNull();
});

test("50 clients read and write back 20 times each, whatever they meet: exactly 1,000", async () => {
  const path = pathOf(PERMITS, await service.create(PERMITS, { title: "park" }));
  let conflicts = 0;
  // Each kind of answer is held against the document above; here there are tens of thousands.
  const plain = new Client(service.port, { problems: () => [] });
  const countUp = async (): Promise<void> => {
    for (;;) {
      const start = performance.now();
      const { json, headers } = await plain.send("GET", path);
      const body = { ...json, uses: Number(json["uses"]) + 1 };
      const match = { "if-match": String(headers.etag) };
      const answer = await plain.send("PUT", path, { body, headers: match });
      if (answer.status === 200) return;
      // A busy service may refuse a request, and has stored nothing then.
      if (answer.status === 503) expectError(answer, 503, "ServiceUnavailableMessage");
      else expectError(answer, 412, "PreconditionFailedMessage");
      conflicts += 1;
      // Polite clients leave each other the time that one of them takes.
      const longest = Math.min(1000, (CLIENTS / 2) * (performance.now() - start));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
    }
  };
  const client = async (): Promise<void> => {
    for (let time = 0; time < TIMES; time += 1) await countUp();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect((await service.send("GET", path)).json["uses"]).toBe(CLIENTS * TIMES);
  // Had none of them met another, nothing would have been tested.
  expect(conflicts).toBeGreaterThan(0);
});

test("of a PATCH and a DELETE of the same revision one is made", async () => {
  for (let round = 0; round < 10; round += 1) {
    const path = pathOf(PERMITS, await service.create(PERMITS, { title: "park" }));
    const headers = { "if-match": '"1-000000000000"' };
    const answers = await Promise.all([
      service.send("PATCH", path, { body: { uses: 1 }, headers }),
      service.send("DELETE", path, { headers }),
      service.send("PATCH", path, { body: { uses: 2 }, headers }),
    ]);
    const made = answers.filter(({ status }) => status === 200 || status === 204);
    expect(made).toHaveLength(1);
    for (const { status } of answers) expect([200, 204, 404, 412]).toContain(status);
  }
});
