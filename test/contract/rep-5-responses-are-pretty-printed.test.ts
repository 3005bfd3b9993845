import { expect, test } from "vitest";
import { parseAnswer, type Answer } from "./support/client.js";
import { startService, type TestService } from "./support/service.js";

const compact = await startService("golden/compact");

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
