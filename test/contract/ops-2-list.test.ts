import { expect, test } from "vitest";
import { resultsOf } from "./support/errors.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";
import { onWire } from "./support/wire.js";

const service = await startService();

test("a GET of a collection answers 200 and the envelope, with every entity as a GET of it answers", async () => {
  const made = [
    await service.create(WIDGETS, FULL_WIDGET),
    await service.create(WIDGETS, { name: "bare" }),
  ];
  const answer = await service.send("GET", WIDGETS);
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.json).toEqual({
    results: made,
    itemCount: 2,
    pageNumber: 1,
    pageSize: 20,
    pageCount: 1,
  });
});

test("a list shows a change and a deletion at once", async () => {
  const made = await service.create(WIDGETS, { name: "moving" });
  const path = pathOf(WIDGETS, made);
  const find = async () => resultsOf(await service.read(`${WIDGETS}?name=moving`));
  const changed = await service.send("PATCH", path, { body: { size: 3 } });
  expect(await find()).toEqual([changed.json]);
  await service.send("DELETE", path);
  expect(await find()).toEqual([]);
});

test("a body on a GET is ignored, and the connection stays in step", async () => {
  const body = `{"name":"x"}`;
  const one = `GET ${WIDGETS}?pageSize=1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const next = `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const { answers } = await onWire(service, one + next);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});
