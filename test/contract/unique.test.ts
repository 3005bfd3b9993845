import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { BADGES, newBadge, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const TAKEN = "BadgeAlreadyExistsMessage";
// A busy service refuses some of a crowd for a moment, and has stored nothing then (LIM-2).
const post = async (body: JsonObject) => service.sendPatiently("POST", BADGES, { body });

test("values are compared as they are: case, spaces and accents differ", async () => {
  for (const serial of ["case", "CASE", "case ", " case", "ca\u0301se", "c\u00e1se"]) {
    await service.create(BADGES, newBadge(serial));
  }
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
