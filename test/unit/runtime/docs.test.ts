import { readFileSync } from "node:fs";

import { afterAll, expect, test } from "vitest";

import { createService } from "#runtime/service/service";
import { ask } from "./fixture/ask.js";
import { plainRegistry } from "./fixture/plain-registry.js";

const service = await createService(plainRegistry());
const url = await service.listen();
afterAll(() => service.close());

test("the OpenAPI document of a version is served, laid out as every answer is", async () => {
  const answer = await ask(url, "GET", "/api/v1/openapi.json");
  const file = readFileSync(new URL("./fixture/openapi/v1.json", import.meta.url), "utf8");
  expect(answer.body).toBe(JSON.stringify(JSON.parse(file), null, 2));
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
});

test.each(["/docs", "/docs/"])(
  "%s is a page whose every script and style is the service's",
  async (path) => {
    const page = await ask(url, "GET", path);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["x-request-id"]).toBeTruthy();
    expect(page.body).toContain("<title>Help desk</title>");
    const links = [...page.body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(
      ([, link = ""]) => link,
    );
    expect(links.length).toBe(5);
    for (const link of links) {
      expect(link).not.toMatch(/^(https?:)?\/\//);
      const { pathname } = new URL(link, `${url}${path}`);
      expect((await ask(url, "GET", pathname)).status).toBe(200);
    }
    expect(page.body).not.toMatch(/<script>|<style>/);
  },
);

test.each(["/docs/static/swagger-ui.css", "/docs/static/swagger-ui-bundle.js"])(
  "%s is sent once, compressed, and then known by its tag",
  async (path) => {
    const plain = await ask(url, "GET", path);
    const options = { headers: { "accept-encoding": "gzip" } };
    const sent = await fetch(url + path, options);
    expect(sent.headers.get("content-encoding")).toBe("gzip");
    expect(sent.headers.get("vary")).toBe("Accept-Encoding");
    expect(await sent.text()).toBe(plain.body);
    const tag = sent.headers.get("etag") ?? "";
    expect(tag).not.toBe(plain.headers["etag"]);
    const headers = { ...options.headers, "if-none-match": tag };
    const known = await fetch(url + path, { headers });
    expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([304, tag, ""]);
  },
);

test("a page is sent whatever type is asked for, and a document is not", async () => {
  const headers = { accept: "text/html" };
  expect((await fetch(`${url}/docs`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/api/v1/openapi.json`, { headers })).status).toBe(406);
});

test("the page lists the document of every version", async () => {
  const script = await ask(url, "GET", "/docs/static/docs.js");
  expect(script.body).toContain(`"url":"/api/v1/openapi.json"`);
  expect(script.body).toContain(`"name":"Help desk v1"`);
});

test("behind a path prefix the page asks there", async () => {
  const other = await createService(plainRegistry(), { baseUrl: "https://example.com/desk" });
  await other.listen();
  const { port } = other.app.server.address() as { port: number };
  const local = `http://127.0.0.1:${port}`;
  const script = await ask(local, "GET", "/docs/static/docs.js");
  expect(script.body).toContain(`"url":"/desk/api/v1/openapi.json"`);
  expect((await ask(local, "GET", "/docs")).body).toContain(`"/desk/docs/static/swagger-ui.css"`);
  const document = await ask(local, "GET", "/api/v1/openapi.json");
  expect(JSON.parse(document.body)).toMatchObject({ servers: [{ url: "/desk/" }] });
  await other.close();
});

test("a document that is missing keeps the service from starting", async () => {
  const registry = plainRegistry();
  const versions = [{ name: "v1", status: "draft", document: "/nowhere/v1.json" } as const];
  const settings = { ...registry.settings, versions };
  await expect(createService({ ...registry, settings })).rejects.toThrow(
    "The OpenAPI document of v1 cannot be read: /nowhere/v1.json.",
  );
});
