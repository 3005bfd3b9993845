import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const service = await startService();
const compact = await startService("golden/compact");
const widget = await service.create("/api/v1/widgets", { name: "drill" });
const id = String(widget["widgetId"]);

test("a letter that is percent-encoded is the same letter, for every path", async () => {
  expect((await service.read("/api/%761/widget%73"))["itemCount"]).toBe(1);
  expect(await service.read(`/%61pi/v%31/widgets/${id.replace(/^./, "%30")}`)).toEqual(widget);
  const answer = await service.send("DELETE", "/api/%76%31/widgets?pageSize=1");
  expectError(answer, 405, "MethodNotAllowedMessage");
  expectError(await service.send("GET", "/api%2Fv1/widgets"), 404, "PathNotFoundMessage");
});

test("another base path moves all of it", async () => {
  expect((await compact.read("/rest/v1/pages"))["itemCount"]).toBe(0);
  // REP-5: verify does not ask for it.
  expect((await compact.send("GET", "/healthz")).text).toBe('{"status":"ok"}');
  expectError(await compact.send("GET", "/rest/pages"), 404, "VersionNotFoundMessage");
  expectError(await compact.send("GET", "/api/v1/pages"), 404, "PathNotFoundMessage");
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
