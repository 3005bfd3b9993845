import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { FULL_WIDGET, MISSING, pathOf, SHIPPING_FEES, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test("a DELETE answers 204 without a body, and the entity is gone for every method", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const answer = await service.send("DELETE", path);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(answer.headers).not.toHaveProperty("content-type");
  for (const method of ["GET", "DELETE"]) {
    expectError(await service.send(method, path), 404, "WidgetNotFoundMessage");
  }
  for (const method of ["PUT", "PATCH"]) {
    const gone = await service.send(method, path, { body: FULL_WIDGET });
    expectError(gone, 404, "WidgetNotFoundMessage");
  }
});

test("a DELETE takes nothing else with it", async () => {
  const [first, second] = [
    await service.create(WIDGETS, FULL_WIDGET),
    await service.create(WIDGETS, FULL_WIDGET),
  ];
  await service.send("DELETE", pathOf(WIDGETS, first));
  expect(await service.read(pathOf(WIDGETS, second))).toEqual(second);
});

test("a DELETE of what is not there is 404", async () => {
  expectError(await service.send("DELETE", `${WIDGETS}/${MISSING}`), 404, "WidgetNotFoundMessage");
  expectError(
    await service.send("DELETE", `${SHIPPING_FEES}/${MISSING}`),
    404,
    "ShippingFeeNotFoundMessage",
  );
});

test("a body on a DELETE is ignored, whatever its type", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const headers = { "content-type": "text/plain" };
  expect((await service.send("DELETE", path, { body: "{", headers })).status).toBe(204);
});
