import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { FULL_WIDGET, MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const COLLECTION = "GET, HEAD, OPTIONS, POST";
const ENTITY = "DELETE, GET, HEAD, OPTIONS, PATCH, PUT";

test.each(["PUT", "DELETE", "PATCH", "TRACE"])(
  "%s on a collection is 405 with Allow",
  async (method) => {
    const made = await service.create(WIDGETS, FULL_WIDGET);
    const answer = await service.send(method, WIDGETS);
    expectError(answer, 405, "MethodNotAllowedMessage");
    expect(answer.headers.allow).toBe(COLLECTION);
    expect(await service.read(pathOf(WIDGETS, made))).toEqual(made);
  },
);

test.each(["POST", "TRACE"])("%s on an entity is 405 with Allow", async (method) => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const answer = await service.send(method, pathOf(WIDGETS, made));
  expectError(answer, 405, "MethodNotAllowedMessage");
  expect(answer.headers.allow).toBe(ENTITY);
});

test("the method is judged before the body, its type and whether the entity is there", async () => {
  const wrong = { body: "no json", headers: { "content-type": "text/plain" } };
  for (const method of ["PUT", "PATCH"]) {
    expectError(await service.send(method, WIDGETS, wrong), 405, "MethodNotAllowedMessage");
  }
  const answer = await service.send("POST", `${WIDGETS}/${MISSING}`, wrong);
  expectError(answer, 405, "MethodNotAllowedMessage");
});

test("the query string does not change which methods a path has", async () => {
  const answer = await service.send("DELETE", `${WIDGETS}?pageSize=1`);
  expectError(answer, 405, "MethodNotAllowedMessage");
  expect(answer.headers.allow).toBe(COLLECTION);
});

test.each(["x-http-method-override", "x-http-method", "x-method-override"])(
  "the header %s does not change the method",
  async (name) => {
    const made = await service.create(WIDGETS, FULL_WIDGET);
    const path = pathOf(WIDGETS, made);
    const sent = { body: {}, headers: { [name]: "DELETE" } };
    expectError(await service.send("POST", path, sent), 405, "MethodNotAllowedMessage");
    expect(await service.read(path)).toEqual(made);
  },
);

test("a path that is nothing is 404 for every method, never 405", async () => {
  for (const method of ["GET", "PUT", "DELETE", "POST", "PATCH"]) {
    expectError(await service.send(method, "/api/v1/gadgets"), 404, "PathNotFoundMessage");
  }
});
