import { expect, test } from "vitest";
import {
  attackOnWire,
  expectContract,
  expectQuietEnd,
  growth,
  ON_WIRE,
  permitted,
  REQUESTS,
  rows,
} from "./support/hostile-answers.js";
import {
  prepare,
  type HostileCase,
  type Places,
  type PreparedRequest,
} from "./support/hostile-requests.js";
import { pathOf } from "./support/samples.js";
import { startProcess } from "./support/service-process.js";
import { fullOrder, newOrder, newParties, ORDERS } from "./support/shop.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** What the corpus says of widgets, in the words of orders. */
const WORDS: Readonly<Record<string, string>> = {
  widgets: "orders",
  Widgets: "Orders",
  widgetId: "orderId",
  name: "recipient",
  size: "priority",
  active: "giftWrapped",
  pinCode: "number",
  startDate: "dueDate",
};

const running = startProcess(temporaryFolder(), {
  LOG_LEVEL: "debug",
  TEST_REQUEST_SECONDS: "2",
  TEST_SERVICE: "shop",
});
const shop = await running.ready;
const parties = await newParties(shop);

async function places(): Promise<Places> {
  const kept = await shop.create(ORDERS, newOrder(parties));
  const gone = await shop.create(ORDERS, newOrder(parties));
  await shop.send("DELETE", pathOf(ORDERS, gone));
  const all = fullOrder(parties);
  return { id: String(kept["orderId"]), deleted: String(gone["orderId"]), all };
}

/** A case in the words of orders; one that says anything of a new widget has all that a new order needs beside that. */
function ofOrders(hostile: HostileCase): HostileCase {
  const words = Object.keys(WORDS).join("|");
  const text = JSON.stringify(hostile.request);
  const said = text.replaceAll(new RegExp(`(?<=[/"?=-])(?:${words})(?=[^a-z0-9])`, "g"), wordOf);
  const request = JSON.parse(said) as HostileCase["request"];
  const { method, body } = request;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const isFilled = method === "POST" && isObject && Object.keys(body).length > 0;
  if (!isFilled) return { ...hostile, request };
  return { ...hostile, request: { ...request, body: { ...newOrder(parties), ...body } } };
}

function wordOf(word: string): string {
  return WORDS[word] ?? word;
}

test.each(rows(ON_WIRE))("%s on the wire: %s", async (_id, _what, hostile) => {
  await attackOnWire(shop, ofOrders(hostile));
});

test.each(rows(REQUESTS))("%s: %s", async (_id, _what, hostile) => {
  const before = await shop.read(`${ORDERS}?pageSize=1`);
  const { method, path, headers, body }: PreparedRequest = prepare(
    ofOrders(hostile),
    await places(),
  );
  const answer = await shop.send(method, path, { headers, ...(body !== undefined && { body }) });
  expectContract(answer, permitted(hostile));
  const { itemCount } = await shop.read(`${ORDERS}?pageSize=1`);
  const added = answer.status === 201 ? 2 : 1;
  expect(itemCount).toBe(Number(before["itemCount"]) + added);
});

test("after all of this the process answers, and its memory is flat", async () => {
  const where = await places();
  const prepared = (hostile: HostileCase) => prepare(ofOrders(hostile), where);
  expect(await growth(shop, prepared)).toBeLessThan(3_000_000);
  const { prototype } = await shop.read("/memory");
  expect(prototype).toEqual(Object.getOwnPropertyNames(Object.prototype));
  expect(await shop.read("/readyz")).toEqual({ status: "ok" });
});

test("the log has a line for every answer and no fault among them", () => expectQuietEnd(running));
