import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { NOBODY } from "#runtime/auth/authentication";
import { Background } from "#runtime/base/background";
import { Warnings } from "#runtime/http/log";
import { ReplyContext } from "#runtime/http/request";
import { memoryDatabase } from "./fixture/memory-database.js";

const app = fastify();
const database = await memoryDatabase();
afterAll(async () => Promise.all([app.close(), database.close()]));

test("what follows an answer misses nobody, although its connection is done with", async () => {
  const background = new Background();
  const seen: boolean[] = [];
  app.get("/", (_request, reply) => {
    const warnings = new Warnings(Date.now);
    const runtime = { database, clock: Date.now, logger: app.log, background, warnings };
    const context = new ReplyContext(reply, NOBODY, runtime);
    const closed = new Promise((resolve) => reply.raw.once("close", resolve));
    context.afterAnswer(async () => {
      await closed;
      const after = context.afterwards();
      after.onGone(() => seen.push(true))();
      seen.push(context.isGone, after.isGone, after.outsideUnit().isGone, after.as(NOBODY).isGone);
    });
    return "answered";
  });
  await (await fetch(await app.listen({ host: "127.0.0.1", port: 0 }))).text();
  await background.settled();
  expect(seen).toEqual([true, false, false, false]);
});
