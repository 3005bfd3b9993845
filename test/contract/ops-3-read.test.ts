import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import {
  BADGES,
  FULL_WIDGET,
  MISSING,
  newBadge,
  pathOf,
  SHIPPING_FEES,
  WIDGETS,
} from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test("a GET of an entity answers 200 and the whole entity", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const answer = await service.send("GET", pathOf(WIDGETS, made));
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.json).toEqual(made);
});

test("a GET changes nothing", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const first = await service.send("GET", path);
  const second = await service.send("GET", path);
  expect(second.text).toBe(first.text);
});

test.each([
  [WIDGETS, "WidgetNotFoundMessage"],
  [BADGES, "BadgeNotFoundMessage"],
  [SHIPPING_FEES, "ShippingFeeNotFoundMessage"],
])(
  "an identifier that names nothing under %s is a 404 of the entity's own type",
  async (path, type) => {
    expectError(await service.send("GET", `${path}/${MISSING}`), 404, type);
  },
);

test("an entity is found under its own resource only", async () => {
  const badge = await service.create(BADGES, newBadge("own"));
  const answer = await service.send("GET", `${WIDGETS}/${String(badge["badgeId"])}`);
  expectError(answer, 404, "WidgetNotFoundMessage");
});
