import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "@readme/openapi-parser";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { serviceFolder } from "../support/service-folders.js";
import type { JsonObject } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const contract = await startService("contract");
const compact = await startService("golden/compact");
const everyKind = await startService("golden/every-kind");
const fewOperations = await startService("golden/few-operations");

const SERVED = [
  { name: "contract", service: contract, base: "/api/v1" },
  { name: "golden/compact", service: compact, base: "/rest/v1" },
  { name: "golden/every-kind", service: everyKind, base: "/api/v1" },
  { name: "golden/few-operations", service: fewOperations, base: "/api/v1" },
];

test.each(SERVED)("$name serves a valid OpenAPI 3.1 document", async ({ service, base }) => {
  const document = await service.read(`${base}/openapi.json`);
  expect(document["openapi"]).toMatch(/^3\.1\./);
  expect(document).toMatchObject({ info: { version: "v1" }, servers: [{ url: base }] });
  // The parser resolves references in place, and types what it takes.
  const copy: Parameters<typeof validate>[0] = JSON.parse(JSON.stringify(document));
  expect(await validate(copy)).toMatchObject({ valid: true });
});

test.each(SERVED)("$name serves what stands in its folder", async ({ name, service, base }) => {
  const document = await service.read(`${base}/openapi.json`);
  const folder = join(serviceFolder(name), "openapi");
  expect(document).toEqual(JSON.parse(readFileSync(join(folder, "v1.json"), "utf8")));
  expect(parse(JSON.stringify(document))).toEqual(document);
});

test.each(SERVED)(
  "$name answers every method that its document describes, and no other",
  async (given) => {
    const { service, base } = given;
    const { paths } = await service.read(`${base}/openapi.json`);
    const described = Object.entries(paths as JsonObject);
    expect(described.length).toBeGreaterThan(0);
    for (const [path, operations] of described) {
      const target = base + path.replace(/\{.*\}/, "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f");
      const { status, headers } = await service.send("OPTIONS", target);
      expect(status).toBe(204);
      const offered = String(headers.allow).toLowerCase().split(", ");
      const methods = Object.keys(operations as JsonObject).filter((key) => key !== "parameters");
      const named = ["head", "options"];
      expect(offered.filter((method) => !named.includes(method)).sort()).toEqual(
        methods.filter((method) => !named.includes(method)).sort(),
      );
    }
  },
);

test("its servers have the path of BASE_URL, as the URLs in answers do", async () => {
  const behind = await startService("contract", { baseUrl: "https://example.com/desk" });
  const { servers } = await behind.read("/api/v1/openapi.json");
  expect(servers).toEqual([{ url: "/desk/api/v1" }]);
  const { headers } = await behind.send("POST", "/api/v1/widgets", { body: { name: "drill" } });
  expect(headers.location).toContain("https://example.com/desk/api/v1/widgets/");
});

test("it is JSON like every answer, for GET and HEAD alone", async () => {
  const path = "/api/v1/openapi.json";
  const got = await contract.send("GET", path);
  expect(got.headers["content-type"]).toBe("application/json; charset=utf-8");
  const head = await contract.send("HEAD", path);
  expect(head.status).toBe(200);
  expect(head.bytes).toHaveLength(0);
  const answer = await contract.send("POST", path, { body: {} });
  expectError(answer, 405, "MethodNotAllowedMessage");
  expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
});

test("a version that is not served has none, and there is none without a version", async () => {
  for (const path of ["/api/v2/openapi.json", "/api/openapi.json"]) {
    expectError(await contract.send("GET", path), 404, "VersionNotFoundMessage");
  }
  for (const path of ["/openapi.json", "/api/v1/openapi.yaml", "/api/v1/openapi"]) {
    expectError(await contract.send("GET", path), 404, "PathNotFoundMessage");
  }
});
