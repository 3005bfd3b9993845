import { expect, test } from "vitest";
import { parseAnswer, type Answer } from "./support/client.js";
import { FULL_CRATE } from "./support/full-bodies.js";
import { FULL_WIDGET } from "./support/samples.js";
import { startService, type TestService } from "./support/service.js";

const pretty = await startService();
const compact = await startService("golden/compact");

const indented = ({ text, json }: Answer): void => {
  expect(text).toBe(JSON.stringify(json, null, 2));
  expect(text).toContain("\n  ");
};

const inOneLine = ({ text, json }: Answer): void => {
  expect(text).toBe(JSON.stringify(json));
  expect(text).not.toContain("\n");
};

/** Requests that everything answers which writes a body by itself: each is refused. */
async function refusals(service: TestService, collection: string): Promise<readonly Answer[]> {
  const malformed = { headers: { "content-type": "application/json" }, body: "{" };
  return [
    await service.send("POST", collection, { body: { unknownName: 1 } }),
    await service.send("POST", collection, malformed),
    await service.send("POST", collection, { body: "{}" }),
    await service.send("GET", `${collection}?pageSize=0`),
    await service.send("GET", `${collection}/1`),
    await service.send("DELETE", collection),
    await service.send("GET", "/nothing"),
    await service.send("GET", `${collection}?note=${"a".repeat(9000)}`),
    parseAnswer(await service.raw("GET\r\n\r\n")),
    parseAnswer(await service.raw("GET / HTTP/1.1\r\n\r\n")),
  ];
}

test("entities are indented by two spaces when they are created, read, patched and replaced", async () => {
  for (const [path, body] of [
    ["/api/v1/widgets", { name: "drill" }],
    ["/api/v1/widgets", FULL_WIDGET],
    ["/api/v1/crates", { title: "t", spot: {}, lots: [{}] }],
    ["/api/v1/crates", FULL_CRATE],
  ] as const) {
    const created = await pretty.send("POST", path, { body });
    expect(created.status).toBe(201);
    const one = String(created.headers.location).replace(pretty.url, "");
    indented(created);
    indented(await pretty.send("GET", one));
    indented(await pretty.send("PATCH", one, { body: { note: "b" } }));
    indented(await pretty.send("PUT", one, { body: created.json }));
  }
});

test("text that has to be escaped is written as JSON.stringify writes it", async () => {
  const note = 'quotes " and \\ and / and \u0001\n\u2028\ud83d\ude00 and é';
  const created = await pretty.send("POST", "/api/v1/widgets", { body: { name: "drill", note } });
  expect(created.json["note"]).toBe(note);
  indented(created);
});

test("so are collections, with entities and without", async () => {
  indented(await pretty.send("GET", "/api/v1/widgets?name=none"));
  indented(await pretty.send("GET", "/api/v1/widgets"));
  indented(await pretty.send("GET", "/api/v1/crates"));
  indented(await pretty.send("GET", "/api/v1/logs"));
});

test("so are errors, whoever writes them", async () => {
  const answers = await refusals(pretty, "/api/v1/widgets");
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([400, 400, 415, 400, 404, 405, 404, 414, 400, 400]);
  for (const answer of answers) indented(answer);
});

test("so are the OpenAPI document and what tells that the service is well", async () => {
  indented(await pretty.send("GET", "/api/v1/openapi.json"));
  indented(await pretty.send("GET", "/healthz"));
  indented(await pretty.send("GET", "/readyz"));
});

test("with `json.pretty: false` no body has any white space of its own", async () => {
  const body = { body: "two words", rows: ["a", "b"], input: { line: "c" } };
  const created = await compact.send("POST", "/rest/v1/pages", { body });
  expect(created.status).toBe(201);
  const one = String(created.headers.location).replace(compact.url, "");
  inOneLine(created);
  inOneLine(await compact.send("POST", "/rest/v1/pages", { body: {} }));
  inOneLine(await compact.send("GET", one));
  inOneLine(await compact.send("PATCH", one, { body: { stored: "d" } }));
  inOneLine(await compact.send("PUT", one, { body: created.json }));
  inOneLine(await compact.send("GET", "/rest/v1/pages"));
  inOneLine(await compact.send("GET", "/rest/v1/pages?pageNumber=9"));
  inOneLine(await compact.send("GET", "/healthz"));
  inOneLine(await compact.send("GET", "/rest/v1/openapi.json"));
  for (const answer of await refusals(compact, "/rest/v1/pages")) inOneLine(answer);
});

test("how a request is written has no say in how it is answered", async () => {
  const headers = { "content-type": "application/json" };
  const bodies = ['{"name":"drill"}', '{\r\n\t"name" :\n\n "drill" }\n'];
  for (const body of bodies) {
    const answer = await pretty.send("POST", "/api/v1/widgets", { headers, body });
    expect(answer.status).toBe(201);
    indented(answer);
  }
});
