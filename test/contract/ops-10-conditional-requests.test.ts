import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Answer, JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { EMPTY_WIDGET, MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const BOOKINGS = "/api/v1/bookings";
const DEPOTS = "/api/v1/depots";
const CONSIGNMENTS = "/api/v1/consignments";

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
/** The tag of a widget of a revision. */
const tagAt = (revision: number): string => `"${revision}-${shape}"`;
const TAG = tagAt(1);

function expectUnchanged(answer: Answer, tag: string): void {
  expect(answer.status, answer.text).toBe(304);
  expect(answer.headers.etag).toBe(tag);
  expect(answer.bytes).toHaveLength(0);
  expect(answer.headers).not.toHaveProperty("content-type");
  expect(answer.headers).not.toHaveProperty("content-encoding");
  expect(answer.headers["content-length"] ?? "0").toBe("0");
}

test("an entity has a strong tag: the same by POST, GET, HEAD, and by a PUT and a PATCH that change nothing", async () => {
  const made = await service.send("POST", WIDGETS, { body: { name: "drill", size: 0 } });
  const path = pathOf(WIDGETS, made.json);
  expect(tagOf(made)).toBe(TAG);
  const same = [
    await get(path),
    await service.send("HEAD", path),
    await service.send("PATCH", path, { body: {} }),
    await service.send("PUT", path, { body: made.json }),
  ];
  for (const answer of same) expect(answer.headers.etag).toBe(TAG);
  const changed = await patch(path, 1);
  expect(tagOf(changed)).toBe(tagAt(2));
  expect(tagOf(await get(path))).toBe(tagAt(2));
  const replaced = await service.send("PUT", path, { body: EMPTY_WIDGET });
  expect(tagOf(replaced)).toBe(tagAt(3));
});

test("a list, a deletion and an error have no tag", async () => {
  const path = await widget();
  const answers = [
    await get(WIDGETS),
    await get(`${WIDGETS}/${MISSING}`),
    await patch(path, 0.5),
    await service.send("DELETE", path),
  ];
  for (const { headers } of answers) expect(headers).not.toHaveProperty("etag");
});

test.each([
  TAG,
  `W/${TAG}`,
  `"0", ${TAG}`,
  `"0",${TAG}`,
  ` ,"0" ,, W/${TAG},`,
  `"a,b", ${TAG}`,
  `""  ,${TAG}`,
  "*",
])("If-None-Match: %s of the body that there is gives 304", async (tags) => {
  const path = await widget();
  expectUnchanged(await get(path, { "if-none-match": tags }), TAG);
  expectUnchanged(await service.send("HEAD", path, { headers: { "if-none-match": tags } }), TAG);
});

test.each([
  '"0"',
  tagAt(11),
  // Of a release that laid it out in another way.
  '"1"',
  '"1-000000000000"',
  '"1-"',
  `${TAG.slice(0, -1)} "`,
  `${TAG.slice(0, -1)}-gzip"`,
  `w/${TAG}`,
  TAG.slice(1, -1),
  TAG.slice(0, -1),
  TAG.slice(1),
  `${TAG}, 1`,
  `*, ${TAG}`,
  "**",
  "",
  `${TAG}, ${'"x", '.repeat(500)}${TAG}`,
])("If-None-Match: %.30s does not name it, or is no list of tags: 200", async (tags) => {
  const answer = await get(await widget(), { "if-none-match": tags });
  expect(answer.status).toBe(200);
  expect(answer.json["size"]).toBe(0);
});

test("several If-None-Match headers are one list", async () => {
  const headers = { "if-none-match": ['"0"', TAG] };
  expectUnchanged(await service.send("GET", await widget(), { headers }), TAG);
});

/** The same revision as another release shows it. */
const OTHER_SHAPE = '"1-000000000000"';

test.each([
  TAG,
  `"0", ${TAG}`,
  `${TAG.slice(0, -1)}-gzip"`,
  OTHER_SHAPE,
  '"1-q3xZ0c1mVd9KfP-_"',
  '"1-q3xZ0c1mVd9KfP-_-gzip"',
  "*",
])("a change with If-Match: %s of the stored revision is made", async (tags) => {
  const headers = { "if-match": tags };
  expect((await get(await widget(), headers)).status).toBe(200);
  expect((await patch(await widget(), 1, headers)).json["size"]).toBe(1);
  const body = EMPTY_WIDGET;
  expect((await service.send("PUT", await widget(), { body, headers })).status).toBe(200);
  expect((await service.send("DELETE", await widget(), { headers })).status).toBe(204);
});

test.each([
  ...[tagAt(2), tagAt(10), '""', `W/${TAG}`, `"0", W/${TAG}`, '"x1"', '"1"', '"1-gzip"', '"1-abc"'],
  ...[`${TAG.slice(0, -1)}x"`, `${TAG.slice(0, -2)}"`, `"0${TAG.slice(1)}`],
])("with If-Match: %s it is 412, and nothing is changed", async (tags) => {
  const path = await widget();
  const headers = { "if-match": tags };
  const answers = [
    await get(path, headers),
    await patch(path, 1, headers),
    // What would change nothing is no exception.
    await patch(path, 0, headers),
    await service.send("PUT", path, { body: EMPTY_WIDGET, headers }),
    await service.send("DELETE", path, { headers }),
  ];
  for (const answer of answers) expectError(answer, 412, "PreconditionFailedMessage");
  const read = await get(path);
  expect([read.json["size"], tagOf(read)]).toEqual([0, TAG]);
});

test.each([
  ...[TAG.slice(1, -1), TAG.slice(0, -1), `w/${TAG}`, "", "*, *", `*, ${TAG}`, `${TAG} ${TAG}`],
  ...[TAG + TAG, `${TAG}, ${'"x", '.repeat(500)}${TAG}`],
])("If-Match: %.30s is no list of tags: 400, and nothing is changed", async (tags) => {
  const path = await widget();
  expectError(await patch(path, 1, { "if-match": tags }), 400, "MalformedRequestMessage");
  expect((await get(path)).json["size"]).toBe(0);
});

test("a change with If-None-Match of what there is is 412, with another it is made", async () => {
  const path = await widget();
  for (const tags of [TAG, `W/${TAG}`, "*"]) {
    const answer = await patch(path, 1, { "if-none-match": tags });
    expectError(answer, 412, "PreconditionFailedMessage");
  }
  expect((await patch(path, 1, { "if-none-match": tagAt(2) })).status).toBe(200);
});

test("If-Match is looked at first, so that a read of something else is not 304", async () => {
  const headers = { "if-match": tagAt(9), "if-none-match": TAG };
  expectError(await get(await widget(), headers), 412, "PreconditionFailedMessage");
});

test("what is not there is 404, and what cannot be read is told, before If-Match; a body is judged after it", async () => {
  const headers = { "if-match": tagAt(9) };
  const missing = `${WIDGETS}/${MISSING}`;
  for (const method of ["GET", "DELETE"]) {
    expectError(await service.send(method, missing, { headers }), 404, "WidgetNotFoundMessage");
  }
  expectError(await patch(missing, 1, headers), 404, "WidgetNotFoundMessage");
  const path = await widget();
  const json = { ...headers, "content-type": "application/json" };
  const malformed = await service.send("PATCH", path, { headers: json, body: "{" });
  expectError(malformed, 400, "MalformedRequestMessage");
  expectError(await patch(path, 0.5, headers), 412, "PreconditionFailedMessage");
  expectError(await patch(path, 0.5, { "if-match": TAG }), 400, "ValidationFailedMessage");
});

test("a POST and a list do not look at them", async () => {
  const headers = { "if-match": '"9"', "if-none-match": "*" };
  const made = await service.send("POST", WIDGETS, { body: { name: "drill" }, headers });
  expect(made.status).toBe(201);
  expect((await get(WIDGETS, headers)).status).toBe(200);
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

test("where values of others are embedded the tag changes with them, and If-Match does not mind", async () => {
  const depot = await service.create(DEPOTS, { name: "north", fee: "1" });
  const reference = { depotId: depot["depotId"] ?? "" };
  const body = { label: "a", depot: reference, stops: [reference] };
  const made = await service.send("POST", BOOKINGS, { body });
  const path = pathOf(BOOKINGS, { bookingId: made.json["bookingId"] ?? "" });
  const before = await get(path);
  expect(tagOf(before)).toBe(tagOf(made));
  expect(tagOf(before)).toMatch(/^"1-[\w-]{16}"$/);
  await service.send("PATCH", pathOf(DEPOTS, depot), { body: { name: "south" } });
  const after = await get(path, { "if-none-match": tagOf(before) });
  expect(after.status).toBe(200);
  expect(tagOf(after)).not.toBe(tagOf(before));
  expectUnchanged(await get(path, { "if-none-match": tagOf(after) }), tagOf(after));
  // What is not shown does not count.
  await service.send("PATCH", pathOf(DEPOTS, depot), { body: { open: true } });
  expectUnchanged(await get(path, { "if-none-match": tagOf(after) }), tagOf(after));
  const headers = { "if-match": tagOf(before) };
  const changed = await service.send("PATCH", path, { body: { label: "b" }, headers });
  expect(changed.status, changed.text).toBe(200);
  expect(tagOf(changed)).toBe(tagOf(await get(path)));
  const late = await service.send("PATCH", path, { body: { label: "c" }, headers });
  expectError(late, 412, "PreconditionFailedMessage");
});

test("a representation has the tag of its own body, and both names share the revision", async () => {
  const depot = await service.create(DEPOTS, { name: "north" });
  const body = { label: "a", depot: { depotId: depot["depotId"] ?? "" } };
  const made = await service.send("POST", BOOKINGS, { body });
  const id = { bookingId: made.json["bookingId"] ?? "" };
  const label = await get(pathOf("/api/v1/bookinglabels", id));
  // Nothing is embedded in it.
  expect(tagOf(label)).toMatch(/^"1-[0-9a-f]{12}"$/);
  const open = await get(pathOf("/api/v1/openbookings", id));
  expect(tagOf(open)).not.toBe(tagOf(made));
  const headers = { "if-match": tagOf(label) };
  const path = pathOf(BOOKINGS, id);
  expect((await service.send("PATCH", path, { body: { label: "b" }, headers })).status).toBe(200);
  expect(tagOf(await get(pathOf("/api/v1/bookinglabels", id)))).toBe(
    tagOf(label).replace("1-", "2-"),
  );
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
