import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { BADGES, newBadge, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const TAKEN = "BadgeAlreadyExistsMessage";
const post = async (body: JsonObject) => service.send("POST", BADGES, { body });

test("a second entity with the same value is 409, tells the property, and is not stored", async () => {
  await service.create(BADGES, newBadge("s1"));
  const before = (await service.read(BADGES))["itemCount"];
  const { description } = expectError(await post(newBadge("s1")), 409, TAKEN);
  expect(description).toContain("serial");
  expect((await service.read(BADGES))["itemCount"]).toBe(before);
});

test("every unique property is looked at", async () => {
  await service.create(BADGES, { ...newBadge("s2"), alias: "two" });
  const answer = await post({ ...newBadge("s3"), alias: "two" });
  expect(expectError(answer, 409, TAKEN).description).toContain("alias");
});

test("null is not a duplicate of null", async () => {
  await service.create(BADGES, { ...newBadge("n1"), alias: null });
  await service.create(BADGES, { ...newBadge("n2"), alias: null });
  await service.create(BADGES, newBadge("n3"));
  // Blank is null too (REP-2).
  await service.create(BADGES, { ...newBadge("n4"), alias: " " });
});

test("values are compared as they are: case, spaces and accents differ", async () => {
  for (const serial of ["case", "CASE", "case ", " case", "ca\u0301se", "c\u00e1se"]) {
    await service.create(BADGES, newBadge(serial));
  }
});

test.each(["PATCH", "PUT"])(
  "a %s to a value that is taken is 409 and changes nothing",
  async (method) => {
    await service.create(BADGES, newBadge(`${method} a`));
    const other = await service.create(BADGES, newBadge(`${method} b`));
    const path = pathOf(BADGES, other);
    const body = { ...other, serial: `${method} a`, level: 5 };
    expectError(await service.send(method, path, { body }), 409, TAKEN);
    expect(await service.read(path)).toEqual(other);
  },
);

test.each(["PATCH", "PUT"])("a %s that keeps its own value is no duplicate", async (method) => {
  const made = await service.create(BADGES, { ...newBadge(`own ${method}`), alias: method });
  const body = { ...made, level: 7 };
  const answer = await service.send(method, pathOf(BADGES, made), { body });
  expect([answer.status, answer.json["level"]]).toEqual([200, 7]);
});

test("a value is free again once its entity is deleted or has another", async () => {
  const made = await service.create(BADGES, newBadge("free"));
  await service.send("DELETE", pathOf(BADGES, made));
  const second = await service.create(BADGES, newBadge("free"));
  await service.send("PATCH", pathOf(BADGES, second), { body: { serial: "freed" } });
  await service.create(BADGES, newBadge("free"));
});

test("validation comes before uniqueness", async () => {
  await service.create(BADGES, newBadge("order"));
  expectError(await post({ ...newBadge("order"), level: 0 }), 400, "ValidationFailedMessage");
});

test("of 200 concurrent creates of the same value exactly one is 201, the others are 409", async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => post(newBadge("race"))),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status !== 201) expectError(answer, 409, TAKEN);
  }
  const all = resultsOf(await service.read(`${BADGES}?pageSize=100`));
  expect(all.filter(({ serial }) => serial === "race")).toEqual(made.map(({ json }) => json));
});

test("of 50 concurrent updates to the same value exactly one wins, and a refused one harms no other", async () => {
  const badges = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => service.create(BADGES, newBadge(`u${index}`))),
  );
  const answers = await Promise.all(
    badges.map(async (badge, index) => {
      const body = { alias: "wanted", level: index + 1 };
      return service.send("PATCH", pathOf(BADGES, badge), { body });
    }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  for (const [index, badge] of badges.entries()) {
    const now = await service.read(pathOf(BADGES, badge));
    if (answers[index]?.status === 200) expect(now["alias"]).toBe("wanted");
    else expect(now).toEqual(badge);
  }
});
