import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { compiledClients } from "./generate-clients.js";

/** What the server answers: by default 200, and JSON. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

type Resource = Readonly<Record<string, (...parameters: readonly unknown[]) => Promise<unknown>>>;

/** What the tests use of the client, which is there only now. */
interface Client {
  readonly widgets: Resource & Lists;
  readonly logs: Resource & Lists;
  readonly wagons: { readonly ofConvoy: (id: string) => Resource & Lists };
  readonly deliveries: { readonly actions: Resource };
}

interface Lists {
  readonly all: (query?: object) => AsyncGenerator<unknown>;
}

interface Generated {
  readonly createClient: (options: object) => Client;
}

const folder = await compiledClients("fixtures/contract", "hostile-answers");
const dist = join(folder, "client/v1/dist");
const { createClient } = (await import(join(dist, "index.js"))) as Generated;

const ID = "0198c7a2-0000-7000-8000-000000000000";
const ENTITY = { widgetId: ID };
const PAGE = { results: [ENTITY], itemCount: 1, pageNumber: 1, pageSize: 20, pageCount: 1 };
const WAGONS = { ...PAGE, results: [{ wagonId: ID }] };
const LOGS = { results: [{ logId: ID }], pageNumber: 1, pageSize: 20 };
/** More requests than any case needs. */
const MOST = 60;

/** What the server was sent, and how it answers. */
let received: IncomingMessage[] = [];
let answerTo: (url: URL, sent: IncomingMessage, answer: ServerResponse) => Answer | null;
const server = createServer((sent, answer) => {
  received.push(sent);
  const url = new URL(sent.url ?? "", "http://service.test");
  const made = received.length > MOST ? { status: 418 } : answerTo(url, sent, answer);
  if (made === null) return;
  const { status = 200, headers = {}, body = "" } = made;
  answer.writeHead(status, { "content-type": "application/json", ...headers });
  answer.end(status === 204 ? undefined : body);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  vi.useRealTimers();
});

const client = createClient({ baseUrl });

/** Calls the client while the server answers in one way. Returns the error, or the value as `resolved`. */
async function outcome(
  call: () => Promise<unknown>,
  answer: Answer | typeof answerTo,
): Promise<Record<string, unknown>> {
  received = [];
  answerTo = typeof answer === "function" ? answer : () => answer;
  try {
    return { resolved: await call() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { name, message, cause } = error;
    return { requests: received.length, ...error, name, message, cause };
  }
}

const json = (value: unknown): Answer => ({ body: JSON.stringify(value) });
const NO_ENTITY: Readonly<Record<string, Answer>> = {
  "nothing at all": { body: "" },
  "a space": { body: " " },
  null: json(null),
  "a list": json([]),
  "a list of entities": json([ENTITY]),
  "a text": json("text"),
  "the text of an entity": json(JSON.stringify(ENTITY)),
  "a number": json(42),
  true: json(true),
  false: json(false),
  HTML: { headers: { "content-type": "text/html" }, body: "<!doctype html><h1>Sign in</h1>" },
  "HTML that says that it is JSON": { body: "<h1>Sign in</h1>" },
  "JSON that ends early": { body: '{ "widgetId": "' },
  "two values": { body: "{} {}" },
  "another encoding": { headers: { "content-encoding": "rot13" }, body: "ahyy" },
  "JSON as UTF-16": { body: Buffer.from(JSON.stringify(ENTITY), "utf16le") },
  "bytes that are no text": { body: Buffer.from([0xff, 0xfe, 0x00, 0x80]) },
  "lists in lists, 100,000 deep": { body: "[".repeat(100_000) },
};
const WITHOUT_IDENTIFIER: Readonly<Record<string, Answer>> = {
  "an empty object": json({}),
  "an object without its identifier": json({ name: "drill" }),
  "an entity of another resource": json({ orderId: ID }),
  "an entity in an envelope": json({ data: ENTITY }),
  "an identifier that is null": json({ widgetId: null }),
  "an identifier that is a number": json({ widgetId: 7 }),
  "an identifier that is a list": json({ widgetId: [ID] }),
  "an identifier that is an object": json({ widgetId: {} }),
  "an identifier that is true": json({ widgetId: true }),
  "an envelope of errors": json({ errors: [{ type: "WidgetNotFoundMessage", message: "No." }] }),
  "a page": json(PAGE),
  204: { status: 204 },
  205: { status: 205, body: "" },
};
/** What is no page of a list: of a valid page, with one entity, each has something wrong. */
function wrongPages(
  valid: typeof LOGS | typeof PAGE | typeof WAGONS,
): Readonly<Record<string, Answer>> {
  const [entity = {}] = valid.results;
  const page = (changes: object): Answer => json({ ...valid, ...changes });
  return {
    "an empty object": json({}),
    "an entity": json(entity),
    "an envelope of errors": json({ errors: [] }),
    204: { status: 204 },
    "no results": page({ results: undefined }),
    "results that are null": page({ results: null }),
    "results that are an object": page({ results: { 0: entity, length: 1 } }),
    "results that are a text": page({ results: "results" }),
    "results that are a number": page({ results: 1 }),
    "results that hold null": page({ results: [entity, null] }),
    "results that hold a list": page({ results: [[entity]] }),
    "results that hold a text": page({ results: [ID] }),
    "results that hold an object without identifier": page({ results: [entity, {}] }),
    "results with an identifier that is a number": page({
      results: [{ widgetId: 1, logId: 1, wagonId: 1 }],
    }),
    "another pageNumber": page({ pageNumber: 2 }),
    "pageNumber 0": page({ pageNumber: 0 }),
    "no pageNumber": page({ pageNumber: undefined }),
    "a pageNumber that is null": page({ pageNumber: null }),
    "a negative pageNumber": page({ pageNumber: -1 }),
    "a fractional pageNumber": page({ pageNumber: 1.5 }),
    "a pageNumber that is a text": page({ pageNumber: "1" }),
    "a pageNumber that is a list": page({ pageNumber: [1] }),
    "pageSize 0": page({ pageSize: 0 }),
    "no pageSize": page({ pageSize: undefined }),
    "a pageSize that is null": page({ pageSize: null }),
    "a negative pageSize": page({ pageSize: -20 }),
    "a fractional pageSize": page({ pageSize: 0.5 }),
    "a pageSize that is a text": page({ pageSize: "20" }),
    "a pageSize without end": { body: JSON.stringify(valid).replace(":20", ":1e999") },
  };
}
const page = (changes: object): Answer => json({ ...PAGE, ...changes });
const WRONG_COUNTS: Readonly<Record<string, Answer>> = {
  "no itemCount": page({ itemCount: undefined }),
  "an itemCount that is null": page({ itemCount: null }),
  "a negative itemCount": page({ itemCount: -1, pageCount: 0 }),
  "a fractional itemCount": page({ itemCount: 0.5 }),
  "an itemCount that is a text": page({ itemCount: "1" }),
  "no pageCount": page({ pageCount: undefined }),
  "a pageCount that is null": page({ pageCount: null }),
  "a negative pageCount": page({ pageCount: -1 }),
  "a pageCount that is a text": page({ pageCount: "1" }),
  "a pageCount that the itemCount does not give": page({ pageCount: 7 }),
  "pageCount 0 with items": page({ itemCount: 9, pageCount: 0 }),
};
const WRONG_NOTHING: Readonly<Record<string, Answer>> = {
  ...NO_ENTITY,
  "200 with an entity": json(ENTITY),
  "201 with an entity": { status: 201, ...json(ENTITY) },
  205: { status: 205 },
};

async function collected(entities: AsyncGenerator<unknown>): Promise<unknown[]> {
  const all = [];
  for await (const entity of entities) all.push(entity);
  return all;
}

const { widgets, logs, wagons, deliveries } = client;
const ENTITY_CALLS = {
  create: () => widgets["create"]?.({}),
  read: () => widgets["read"]?.(ID),
  update: () => widgets["update"]?.(ID, {}),
  "update by a function": () => widgets["update"]?.(ID, () => ({})),
  replace: () => widgets["replace"]?.(ID, {}),
  "an action that answers the entity": () => deliveries.actions["cancel"]?.(ID, {}),
};
const LIST_CALLS = {
  list: () => widgets["list"]?.(),
  all: () => collected(widgets.all()),
};
const UNCOUNTED_CALLS = {
  "list, uncounted": () => logs["list"]?.(),
  "all, uncounted": () => collected(logs.all()),
};
const CHILDREN_CALLS = {
  "list of children": () => wagons.ofConvoy(ID)["list"]?.(),
};
const NOTHING_CALLS = {
  delete: () => widgets["delete"]?.(ID),
  "an action that answers nothing": () => deliveries.actions["start"]?.(ID),
};
const OBJECT_CALLS = {
  "an action that answers an object": () => deliveries.actions["plan"]?.({}),
};

type Calls = Readonly<Record<string, () => Promise<unknown> | undefined>>;

const rows = (calls: Calls, answers: Readonly<Record<string, Answer>>) =>
  Object.entries(calls).flatMap(([call, run]) =>
    Object.entries(answers).map(([name, answer]) => ({
      call,
      name,
      answer,
      run: async () => run(),
    })),
  );

test.each([
  ...rows(ENTITY_CALLS, { ...NO_ENTITY, ...WITHOUT_IDENTIFIER }),
  ...rows(LIST_CALLS, { ...NO_ENTITY, ...wrongPages(PAGE), ...WRONG_COUNTS }),
  ...rows(UNCOUNTED_CALLS, { ...NO_ENTITY, ...wrongPages(LOGS) }),
  ...rows(CHILDREN_CALLS, { ...NO_ENTITY, ...wrongPages(WAGONS) }),
  ...rows(NOTHING_CALLS, WRONG_NOTHING),
  ...rows(OBJECT_CALLS, { ...NO_ENTITY, 204: { status: 204 } }),
])("$call: $name is a ServiceError of type unknown", async ({ run, answer }) => {
  const { status = 200 } = answer;
  expect(await outcome(run, answer)).toEqual({
    name: "ServiceError",
    type: "unknown",
    status,
    message: `The response has the status ${status}, and is not what the operation answers.`,
    description: null,
    fields: [],
    refusals: [],
    requestId: expect.stringMatching(/^[\w-]{36}$/),
    retryAfter: null,
    location: null,
    requests: 1,
  });
});

test.each<{ name: string; run: () => unknown; answer: Answer; value: unknown }>([
  { name: "read", run: ENTITY_CALLS.read, answer: json(ENTITY), value: ENTITY },
  {
    name: "read, of another content type",
    run: ENTITY_CALLS.read,
    answer: { ...json(ENTITY), headers: { "content-type": "text/plain" } },
    value: ENTITY,
  },
  {
    name: "read, compressed",
    run: ENTITY_CALLS.read,
    answer: {
      headers: { "content-encoding": "gzip" },
      body: gzipSync(JSON.stringify(ENTITY)),
    },
    value: ENTITY,
  },
  {
    name: "create",
    run: ENTITY_CALLS.create,
    answer: { ...json(ENTITY), status: 201 },
    value: ENTITY,
  },
  { name: "list", run: LIST_CALLS.list, answer: json(PAGE), value: PAGE },
  {
    name: "list of children",
    run: CHILDREN_CALLS["list of children"],
    answer: json(WAGONS),
    value: WAGONS,
  },
  {
    name: "list, uncounted",
    run: UNCOUNTED_CALLS["list, uncounted"],
    answer: json(LOGS),
    value: LOGS,
  },
  {
    name: "list, empty",
    run: LIST_CALLS.list,
    answer: page({ results: [], itemCount: 0, pageCount: 0 }),
    value: { ...PAGE, results: [], itemCount: 0, pageCount: 0 },
  },
  { name: "delete", run: NOTHING_CALLS.delete, answer: { status: 204 }, value: undefined },
  {
    name: "an object",
    run: OBJECT_CALLS["an action that answers an object"],
    answer: json({}),
    value: {},
  },
])("$name resolves with what it answers", async ({ run, answer, value }) => {
  expect(await outcome(async () => run(), answer)).toEqual({ resolved: value });
});

test("an update by a function needs an ETag of what it reads", async () => {
  const failure = await outcome(async () => ENTITY_CALLS["update by a function"](), json(ENTITY));
  expect(failure).toMatchObject({
    name: "ServiceError",
    type: "unknown",
    status: 200,
    requests: 1,
  });
});

const errors = (...list: readonly unknown[]): string => JSON.stringify({ errors: list });
const MESSAGE = { type: "WidgetNotFoundMessage", message: "No." };
const WRONG_ENVELOPES: Readonly<Record<string, string>> = {
  nothing: "",
  null: "null",
  "a list": JSON.stringify([MESSAGE]),
  "a text": '"No."',
  HTML: "<h1>Bad gateway</h1>",
  "an empty object": "{}",
  "no errors": errors(),
  "errors that are null": '{ "errors": null }',
  "errors that are an object": JSON.stringify({ errors: { 0: MESSAGE, length: 1 } }),
  "an entry that is null": errors(null),
  "an entry that is a text": errors("WidgetNotFoundMessage"),
  "an entry that is a list": errors([MESSAGE]),
  "a type that is a number": errors({ ...MESSAGE, type: 404 }),
  "a type that is null": errors({ ...MESSAGE, type: null }),
  "no type": errors({ message: "No." }),
  "no message": errors({ type: "WidgetNotFoundMessage" }),
  "a message that is an object": errors({ ...MESSAGE, message: {} }),
  "a description that is a list": errors({ ...MESSAGE, description: [] }),
  "a description that is null": errors({ ...MESSAGE, description: null }),
  "fields that are an object": errors({ ...MESSAGE, fields: {} }),
  "fields that are null": errors({ ...MESSAGE, fields: null }),
  "fields that are a text": errors({ ...MESSAGE, fields: "name" }),
  "a field that is null": errors({ ...MESSAGE, fields: [null] }),
  "a field that is a text": errors({ ...MESSAGE, fields: ["name"] }),
  "a field without message": errors({ ...MESSAGE, fields: [{ field: "name" }] }),
  "a field with a name that is a number": errors({
    ...MESSAGE,
    fields: [{ field: 1, message: "No." }],
  }),
};

test.each(
  [400, 401, 404, 409, 412, 500].flatMap((status) =>
    Object.entries(WRONG_ENVELOPES).map(([name, body]) => ({ status, name, body })),
  ),
)("$status with $name is a ServiceError of type unknown", async ({ status, body }) => {
  const failure = await outcome(async () => ENTITY_CALLS.read(), { status, body });
  expect(failure).toMatchObject({
    ...{ name: "ServiceError", type: "unknown", status, location: null, requests: 1 },
    ...{ description: null, fields: [], refusals: [] },
    message: `The response has the status ${status} and no reason.`,
  });
});

test("of an envelope with a wrong entry, the others are refusals", async () => {
  const body = errors(null, { ...MESSAGE, fields: [{ field: "name", message: "No." }] }, 7);
  const failure = await outcome(async () => ENTITY_CALLS.read(), { status: 404, body });
  expect(failure).toMatchObject({ ...MESSAGE, fields: [{ field: "name", message: "No." }] });
  expect(failure["refusals"]).toHaveLength(1);
});

test.each([300, 304, 305, 306])("%i is no answer, and no redirect", async (status) => {
  const answer = { status, headers: { location: "/elsewhere" }, body: "" };
  const failure = await outcome(async () => ENTITY_CALLS.read(), answer);
  expect(failure).toMatchObject({ type: "unknown", status, location: null, requests: 1 });
});

test.each([
  { value: "7", wait: 7000 },
  { value: "0", wait: 0 },
  { value: "2147484", wait: 2_147_484_000 },
  { value: "9".repeat(400), wait: Infinity },
  { value: "Thu, 01 Jan 1970 00:00:00 GMT", wait: 0 },
  { value: "-5", wait: null },
  { value: "1.5", wait: null },
  { value: "soon", wait: null },
  { value: "in 2 minutes", wait: null },
  { value: "Sunday", wait: null },
  { value: "2001", wait: 2_001_000 },
  { value: "1e3", wait: null },
  { value: "5, 7", wait: null },
  { value: "", wait: null },
])("Retry-After: $value asks to wait for $wait ms", async ({ value, wait }) => {
  const { widgets: patient } = createClient({ baseUrl, retries: 0 });
  const answer = { status: 503, headers: { "retry-after": value } };
  const failure = await outcome(async () => patient["list"]?.(), answer);
  expect(failure).toMatchObject({ type: "unknown", status: 503, retryAfter: wait });
});

const REDIRECTS = [301, 302, 303, 307, 308].flatMap((status) =>
  Object.entries({ ...ENTITY_CALLS, ...LIST_CALLS, ...NOTHING_CALLS, ...OBJECT_CALLS }).flatMap(
    ([call, run]) => [
      { status, call, run, location: "https://other.test/elsewhere" },
      { status, call, run, location: null },
    ],
  ),
);

test.each(REDIRECTS)("$status of $call to $location is not followed", async (row) => {
  const { status, run, location } = row;
  const headers = { "retry-after": "0", ...(location !== null && { location }) };
  const body = errors({ type: "IdempotencyKeyPendingMessage", message: "Later." });
  const failure = await outcome(async () => run(), { status, headers, body });
  const to = location ?? "no URL";
  expect(failure).toMatchObject({
    ...{ name: "ServiceError", type: "unknown", status, location, refusals: [], requests: 1 },
    message: `The response redirects to ${to}: set \`baseUrl\` to the URL of the service itself.`,
  });
});

test.each([301, 302, 303, 307, 308])("%i sends nothing to another origin", async (status) => {
  const strangers: IncomingMessage[] = [];
  const other = createServer((sent, answer) => {
    strangers.push(sent);
    answer.end(JSON.stringify(PAGE));
  });
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const { widgets: keyed } = createClient({ baseUrl, headers: { "x-api-key": "secret" } });
  for (const run of [() => keyed["create"]?.({}), () => keyed["read"]?.(ID)]) {
    const failure = await outcome(async () => run(), { status, headers: { location } });
    expect(failure).toMatchObject({ type: "unknown", status, location });
  }
  other.close();
  expect(strangers).toEqual([]);
});

test("a redirect in a browser, which hides it, has the status 0 and no location", async () => {
  const opaque = new Response(null);
  Object.defineProperties(opaque, {
    status: { value: 0 },
    ok: { value: false },
    type: { value: "opaqueredirect" },
  });
  const { widgets: hidden } = createClient({ baseUrl, fetch: async () => Promise.resolve(opaque) });
  expect(await outcome(async () => hidden["create"]?.({}), {})).toMatchObject({
    ...{ name: "ServiceError", type: "unknown", status: 0, location: null },
    message: expect.stringContaining("redirects to a URL that the browser hides: set `baseUrl`"),
  });
});

test.each([
  { what: "a body that is not gzip", call: "read", requests: 3 },
  { what: "a body that is not gzip", call: "update", requests: 1 },
  { what: "no HTTP", call: "read", requests: 3 },
  { what: "a body that breaks off", call: "read", requests: 3 },
  { what: "a body that breaks off", call: "create", requests: 3 },
  { what: "a body that breaks off", call: "replace", requests: 3 },
  { what: "a body that breaks off", call: "update", requests: 1 },
] as const)(
  "$what is a ConnectionError: $call sends $requests",
  async ({ what, call, requests }) => {
    const { widgets: hasty } = createClient({ baseUrl, retries: 2 });
    const failure = await outcome(
      async () => hasty[call]?.(ID, {}),
      (_, sent, answer) => {
        if (/gzip/.test(what)) return { headers: { "content-encoding": "gzip" }, body: "no gzip" };
        if (what === "no HTTP") {
          sent.socket.end("SSH-2.0-OpenSSH_9.2\r\n");
          return null;
        }
        answer.writeHead(200, { "content-length": "1000" });
        answer.write('{ "widgetId":', () => sent.socket.destroy());
        return null;
      },
    );
    expect(failure).toMatchObject({ name: "ConnectionError", requests });
  },
);

/** Answers pages of some entities, without those that are not shown, which the count has all the same. */
function paged(total: number, hidden: readonly number[], isCounted: boolean) {
  return (url: URL): Answer => {
    const [pageNumber = 1, pageSize = 20] = ["pageNumber", "pageSize"].map((name) =>
      url.searchParams.has(name) ? Number(url.searchParams.get(name)) : undefined,
    );
    const numbers = Array.from({ length: total }, (_, index) => index);
    const shown = numbers
      .slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
      .filter((number) => !hidden.includes(number))
      .map((number) => ({ widgetId: `${number}`, logId: `${number}` }));
    const counts = { itemCount: total, pageCount: Math.ceil(total / pageSize) };
    return json({ results: shown, pageNumber, pageSize, ...(isCounted && counts) });
  };
}

test.each([
  { total: 0, hidden: [], isCounted: true, requests: 1 },
  { total: 9, hidden: [], isCounted: true, requests: 3 },
  { total: 9, hidden: [4], isCounted: true, requests: 3 },
  { total: 9, hidden: [0, 1, 2, 3], isCounted: true, requests: 3 },
  { total: 9, hidden: [4, 5, 6, 7, 8], isCounted: true, requests: 3 },
  { total: 8, hidden: [7], isCounted: true, requests: 2 },
  { total: 0, hidden: [], isCounted: false, requests: 1 },
  { total: 9, hidden: [], isCounted: false, requests: 4 },
  { total: 9, hidden: [1, 4], isCounted: false, requests: 4 },
  { total: 8, hidden: [], isCounted: false, requests: 3 },
])("all of $total without $hidden, counted: $isCounted", async (row) => {
  const { total, hidden, isCounted, requests } = row;
  const { all } = isCounted ? widgets : logs;
  const { resolved } = await outcome(
    async () => collected(all({ pageSize: 4 })),
    paged(total, hidden, isCounted),
  );
  const numbers = Array.from({ length: total }, (_, index) => index);
  const shown = numbers.filter((number) => !(hidden as number[]).includes(number)).map(String);
  expect((resolved as { widgetId: string }[]).map(({ widgetId }) => widgetId)).toEqual(shown);
  expect(received).toHaveLength(requests);
});

test.each([
  { all: widgets.all, first: { ...PAGE, pageSize: 1, itemCount: 2, pageCount: 2 } },
  { all: logs.all, first: { ...LOGS, pageSize: 1 } },
])("a server that ignores pageNumber does not keep all() from ending", async ({ all, first }) => {
  const failure = await outcome(async () => collected(all()), json(first));
  expect(failure).toMatchObject({ type: "unknown", status: 200, requests: 2 });
});

/** Pages of one that lead to each other, the last of so many. */
function linked(total: number): typeof answerTo {
  return ({ searchParams }) => {
    const number = Number(searchParams.get("after") ?? 0);
    const { pageNumber, pageCount, ...page } = { ...PAGE, pageSize: 1, itemCount: total };
    const results = [{ widgetId: String(number) }];
    const place = number === 0 ? { pageNumber, pageCount: total } : {};
    const next = new URLSearchParams(searchParams);
    next.set("after", String(number + 1));
    const link = { link: `<http://service.test/widgets?${String(next)}>; rel="next"` };
    expect(pageCount).toBe(1);
    return {
      ...json({ ...page, results, ...place }),
      headers: number + 1 < total ? link : {},
    };
  };
}

test("all() follows the links, with all that was asked for", async () => {
  const asked = { pageSize: 1, name: ["a", "b"], sort: ["name"] };
  const { resolved } = await outcome(async () => collected(widgets.all(asked)), linked(4));
  expect(resolved).toEqual(["0", "1", "2", "3"].map((widgetId) => ({ widgetId })));
  expect(received.map(({ url }) => url?.split("?")[1])).toEqual([
    "pageSize=1&name=a&name=b&sort=name",
    ...["1", "2", "3"].map((after) => `pageSize=1&name=a&name=b&sort=name&after=${after}`),
  ]);
});

test("a cache that ignores tokens does not keep all() from ending", async () => {
  const link = { link: '<http://service.test/widgets?after=x>; rel="next"' };
  const again = { ...json(PAGE), headers: link };
  const failure = await outcome(async () => collected(widgets.all()), again);
  expect(failure).toMatchObject({ type: "unknown", status: 200, requests: 2 });
  const { pageNumber, pageCount, ...following } = PAGE;
  expect([pageNumber, pageCount]).toEqual([1, 1]);
  const same = await outcome(
    async () => collected(widgets.all()),
    ({ searchParams }) => ({
      ...json(searchParams.has("after") ? following : PAGE),
      headers: link,
    }),
  );
  expect(same["resolved"]).toHaveLength(2);
});

test("all() ends at the last page that the service answers", async () => {
  const pageNumber = 2_147_483_647;
  const answer = json({ ...LOGS, pageNumber });
  const { resolved } = await outcome(async () => collected(logs.all({ pageNumber })), answer);
  expect(resolved).toEqual(LOGS.results);
});

test.each([
  { asked: { pageNumber: 2, pageSize: 20 }, answered: { pageNumber: 2, pageSize: 20 }, is: true },
  { asked: { pageNumber: 2, pageSize: 20 }, answered: { pageNumber: 5, pageSize: 5 }, is: true },
  { asked: { pageNumber: 3, pageSize: 20 }, answered: { pageNumber: 41, pageSize: 1 }, is: true },
  { asked: { pageNumber: 1, pageSize: 20 }, answered: { pageNumber: 1, pageSize: 5 }, is: true },
  { asked: { pageNumber: 3 }, answered: { pageNumber: 3, pageSize: 20 }, is: true },
  { asked: { pageNumber: 3 }, answered: { pageNumber: 9, pageSize: 5 }, is: true },
  { asked: { pageNumber: 3 }, answered: { pageNumber: 4, pageSize: 20 }, is: false },
  { asked: { pageNumber: 3 }, answered: { pageNumber: 1, pageSize: 20 }, is: false },
  { asked: { pageNumber: 3 }, answered: { pageNumber: 2, pageSize: 20 }, is: false },
  { asked: { pageNumber: 2, pageSize: 20 }, answered: { pageNumber: 1, pageSize: 5 }, is: false },
  { asked: { pageNumber: 2, pageSize: 20 }, answered: { pageNumber: 2, pageSize: 5 }, is: false },
  { asked: { pageNumber: 2, pageSize: 20 }, answered: { pageNumber: 3, pageSize: 8 }, is: false },
  { asked: { pageNumber: 2, pageSize: 20 }, answered: { pageNumber: 2, pageSize: 40 }, is: false },
  { asked: {}, answered: { pageNumber: 2, pageSize: 20 }, is: false },
])("$answered begins where $asked asks for: $is", async ({ asked, answered, is }) => {
  const answer = json({ ...LOGS, ...answered });
  const made = await outcome(async () => logs["list"]?.(asked), answer);
  expect(made).toMatchObject(is ? { resolved: answered } : { type: "unknown", status: 200 });
});

test("a wait that no timer takes is made of several, and ends with its signal", async () => {
  vi.useFakeTimers();
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    const headers = { "retry-after": "2147484" };
    const answer = sent === 1 ? new Response(null, { status: 503, headers }) : Response.json(LOGS);
    return Promise.resolve(answer);
  };
  const options = { baseUrl, fetch, longestWait: Infinity };
  const page = createClient(options).logs["list"]?.();
  await vi.advanceTimersByTimeAsync(2_147_483_999);
  expect(sent).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await page).toEqual(LOGS);
  sent = 0;
  const ended = new AbortController();
  const never = createClient(options).logs["list"]?.({}, { signal: ended.signal });
  const reason = expect(never).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(2_147_483_800);
  ended.abort(new Error("enough"));
  await reason;
  expect(sent).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a response that never ends is given up after `timeout`, and asked for again", async () => {
  const drips: NodeJS.Timeout[] = [];
  const drip = (_url: URL, _sent: IncomingMessage, answer: ServerResponse): null => {
    answer.writeHead(200, { "content-type": "application/json" });
    drips.push(setInterval(() => answer.write(" "), 10));
    return null;
  };
  const hasty = createClient({ baseUrl, timeout: 100, retries: 1 });
  const failure = await outcome(async () => hasty.widgets["read"]?.(ID), drip);
  expect(failure).toMatchObject({
    ...{ name: "ConnectionError", requests: 2 },
    cause: expect.objectContaining({ name: "TimeoutError" }) as unknown,
  });
  const endless = createClient({ baseUrl, timeout: Infinity });
  const enough = { signal: AbortSignal.timeout(200) };
  const ended = await outcome(async () => endless.widgets["read"]?.(ID, enough), drip);
  expect(ended).toMatchObject({ name: "TimeoutError", requests: 1 });
  for (const one of drips) clearInterval(one);
});

test.each([
  { status: 400, requests: 1 },
  { status: 403, requests: 1 },
  { status: 409, requests: 4 },
  { status: 412, requests: 1 },
  { status: 500, requests: 1 },
  { status: 503, requests: 1 },
])("a PATCH that is pending with $status is sent $requests times", async (row) => {
  const body = errors({ type: "IdempotencyKeyPendingMessage", message: "Later." });
  const answer = { status: row.status, headers: { "retry-after": "0" }, body };
  const failure = await outcome(async () => client.widgets["update"]?.(ID, {}), answer);
  expect(failure).toMatchObject(row);
});
