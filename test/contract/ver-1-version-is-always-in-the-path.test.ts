import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { printed } from "./support/refusal.js";
import { MISSING } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const compact = await startService("golden/compact");
const versions = await startService("versions");
const widget = await service.create("/api/v1/widgets", { name: "drill" });
const id = String(widget["widgetId"]);

test("a resource is at the base path, the version and its name", async () => {
  expect((await service.read("/api/v1/widgets"))["itemCount"]).toBe(1);
  expect(await service.read(`/api/v1/widgets/${id}`)).toEqual(widget);
});

test("the Location of what is created has the version too", async () => {
  const answer = await service.send("POST", "/api/v1/widgets", { body: { name: "saw" } });
  const { widgetId } = answer.json;
  expect(answer.headers.location).toBe(`${service.url}/api/v1/widgets/${String(widgetId)}`);
});

test.each([
  "/api",
  "/api/",
  "/api/widgets",
  `/api/widgets/${id}`,
  "/api/widgets?pageSize=1",
  "/api/v2/widgets",
  "/api/v0/widgets",
  "/api/V1/widgets",
  "/api/v01/widgets",
  "/api/v1.0/widgets",
  "/api/v11/widgets",
  "/api/1/widgets",
  "/api/v/widgets",
  "/api/latest/widgets",
  "/api//v1/widgets",
  "/api/v2/openapi.json",
])("%s names no version that is served: 404, which names those that are", async (path) => {
  for (const method of ["GET", "DELETE"]) {
    const answer = await service.send(method, path);
    const error = expectError(answer, 404, "VersionNotFoundMessage");
    expect(error.description).toMatch(/\bv1\b/);
  }
});

test("a write without the version is refused and changes nothing", async () => {
  const before = await service.read("/api/v1/widgets");
  for (const [method, path] of [
    ["POST", "/api/widgets"],
    ["PUT", `/api/widgets/${id}`],
    ["PATCH", `/api/v2/widgets/${id}`],
    ["DELETE", `/api/widgets/${id}`],
  ] as const) {
    const answer = await service.send(method, path, { body: { name: "hammer" } });
    expectError(answer, 404, "VersionNotFoundMessage");
  }
  expect(await service.read("/api/v1/widgets")).toEqual(before);
});

test.each(["v1", "v2"])("all that the document of %s names is there", async (version) => {
  const { paths } = await versions.read(`/api/${version}/openapi.json`);
  const names = Object.keys(Object(paths));
  expect(names).toContain("/orders");
  for (const name of names) {
    const path = `/api/${version}${name.replace(/\{\w+\}/, MISSING)}`;
    const answer = await versions.send("GET", path);
    expect(answer.text, path).not.toContain("PathNotFoundMessage");
  }
});

test("no header chooses a version", async () => {
  const headers = { accept: "application/json; version=1", "api-version": "1", "x-version": "v1" };
  const answer = await service.send("GET", "/api/widgets", { headers });
  expectError(answer, 404, "VersionNotFoundMessage");
});

test.each([
  "/api/v1",
  "/api/v1/",
  "/api/v1/nothing",
  "/",
  "/widgets",
  "/v1/widgets",
  "/apis/v1/widgets",
])("%s lacks something else than the version", async (path) => {
  expectError(await service.send("GET", path), 404, "PathNotFoundMessage");
});

test("a letter that is percent-encoded is the same letter, for every path", async () => {
  expect((await service.read("/api/%761/widget%73"))["itemCount"]).toBe(2);
  expect(await service.read(`/%61pi/v%31/widgets/${id.replace(/^./, "%30")}`)).toEqual(widget);
  const answer = await service.send("DELETE", "/api/%76%31/widgets");
  expectError(answer, 405, "MethodNotAllowedMessage");
  expectError(await service.send("GET", "/api%2Fv1/widgets"), 404, "PathNotFoundMessage");
});

test("another base path moves all of it", async () => {
  expect((await compact.read("/rest/v1/pages"))["itemCount"]).toBe(0);
  expectError(await compact.send("GET", "/rest/pages"), 404, "VersionNotFoundMessage");
  expectError(await compact.send("GET", "/api/v1/pages"), 404, "PathNotFoundMessage");
});

test("what has few resources names them at its root", async () => {
  const answer = await compact.send("GET", "/");
  expectError(answer, 404, "PathNotFoundMessage");
  const { description } = (answer.json["errors"] as { description: string }[])[0] ?? {};
  const paths = /the resources are (.*), and \/docs shows them\.$/.exec(description ?? "")?.[1];
  for (const path of paths?.split(", ") ?? []) {
    expect((await compact.send("GET", path)).status).toBe(200);
  }
  expect(paths).toContain("/rest/v1/pages");
});

test("a schema that stands in no folder of a version is refused", async () => {
  const text = "resource: orders\nentity: order\nproperties: { title: string }\n";
  expect(await printed({ "resources/v1/orders.yaml": text })).toBe("");
  const outside = await printed({ "resources/orders.yaml": text });
  expect(outside).toMatch(/^resources\/orders.yaml:1:1 {2}error {2}SCH-116\n/);
  const misnamed = await printed({ "resources/version2/orders.yaml": text });
  expect(misnamed).toMatch(/^resources\/version2:1:1 {2}error {2}VER-1\n/);
});

test.each([
  { path: "/", says: ", /api/v1/" },
  { path: "/", says: " more, and /docs shows them." },
  { path: "/api/v1", says: "; the resources are /api/v1/" },
  { path: "/widgets", says: "; the resources are below /api/v1/, and /docs shows them." },
  { path: "/api/v1/Widgets", says: '; did you mean \\"widgets\\"?' },
  { path: "/api/v1/widget/1", says: '; did you mean \\"widgets\\"?' },
  { path: "/api/v1/people", says: '/api/v1/people\\"."' },
  { path: "/api/v1/widgets/1/2", says: '/api/v1/widgets/1/2\\"."' },
])("$path is nothing, and its refusal says where to look", async ({ path, says }) => {
  const answer = await service.send("GET", path);
  expectError(answer, 404, "PathNotFoundMessage");
  expect(answer.text).toContain(says);
});
