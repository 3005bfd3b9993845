import { expect, test } from "vitest";
import { createService } from "#runtime/service/service";
import { ask } from "../unit/runtime/fixture/ask.js";
import { plainRegistry } from "../unit/runtime/fixture/plain-registry.js";

const LIMITS = { requestsPerMinute: 2 };

test.each([
  ["OPTIONS", "/api/v1/tickets", 204],
  ["GET", "/api/v1/nothing", 404],
  ["PUT", "/api/v1/tickets", 405],
  ["DELETE", "/api/v1/tickets", 405],
  ["GET", "/docs", 200],
  ["GET", "/docs/static/swagger-ui.css", 200],
  ["GET", "/docs/nothing", 404],
  ["GET", "/api/v1/openapi.json", 200],
])("%s %s counts as a request of its caller", async (method, path, status) => {
  const service = await createService(plainRegistry({ limits: LIMITS }));
  const url = await service.listen();
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await ask(url, method, path)).status);
  expect(statuses).toEqual([status, status, 429]);
  expect((await ask(url, "GET", "/healthz")).status).toBe(200);
  await service.close();
});
