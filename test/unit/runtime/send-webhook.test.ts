import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { WebhookSender } from "#runtime/events/webhooks";
import { HOSTILE_RECEIVERS, hostileReceiver } from "../../support/hostile-receivers.js";

const SECRETS = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
/** The bound of a response is 15 seconds; a busy machine is late. */
const RELEASED_SECONDS = 25;

const webhook = (url: string, isPrivate = true) => ({
  name: "test",
  url,
  secrets: SECRETS,
  isPrivate,
});

/** What became of an event that a receiver was sent, as soon as its place is free. */
async function outcomeOf(sender: WebhookSender, url: string): Promise<string> {
  try {
    const { refusal, released } = await sender.send(webhook(url), "id", "{}");
    await released;
    return refusal ?? "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// Some take their full time, so all of them begin before the first one is looked at.
const attempts = HOSTILE_RECEIVERS.map(async ([, behaviour]) => {
  const [receiver, sender] = [await hostileReceiver(behaviour), new WebhookSender()];
  const began = performance.now();
  const outcome = await outcomeOf(sender, receiver.url);
  return { receiver, sender, outcome, milliseconds: performance.now() - began };
});

test.each(HOSTILE_RECEIVERS.map(([name, , expected], index) => ({ name, expected, index })))(
  "a receiver that sends $name: its connection is idle or closed in the end",
  async ({ expected, index }) => {
    const attempt = await attempts[index];
    if (attempt === undefined) throw new Error("There is no such receiver.");
    const { receiver, sender, outcome, milliseconds } = attempt;
    expect(outcome).toMatch(expected);
    expect(milliseconds).toBeLessThan(RELEASED_SECONDS * 1000);
    // One that is idle is kept for the next event.
    expect(receiver.connections.most).toBe(1);
    sender.close();
    await expect.poll(() => receiver.connections.open).toBe(0);
    receiver.close();
  },
);

test("a sender that stops does not wait for the rest of a response, not even of one that comes later", async () => {
  const [, drips = () => undefined] =
    HOSTILE_RECEIVERS.find(([name]) => name === "200 with a body that drips") ?? [];
  const receiver = await hostileReceiver(drips);
  const sender = new WebhookSender();
  const { released } = await sender.send(webhook(receiver.url), "id", "{}");
  let isReleased = false;
  void released.then(() => (isReleased = true));
  await pause(200);
  expect(isReleased).toBe(false);
  receiver.behave = (socket) => void setTimeout(drips, 200, socket);
  const later = sender.send(webhook(receiver.url), "id", "{}");
  sender.stop();
  await released;
  await (
    await later
  ).released;
  receiver.close();
});

test("a connection to a private address carries no event of a webhook that may not use it", async () => {
  const receiver = await hostileReceiver((socket) => void socket.write("HTTP/1.1 204 x\r\n\r\n"));
  const sender = new WebhookSender();
  const url = receiver.url.replace("127.0.0.1", "localhost");
  for (let round = 0; round < 3; round += 1) {
    await (
      await sender.send(webhook(`${url}/ok`), "id", "{}")
    ).released;
    await expect(sender.send(webhook(`${url}/admin`, false), "id", "{}")).rejects.toThrow(
      /address of a private network/,
    );
  }
  expect(receiver.connections.most).toBe(1);
  expect(receiver.requests.filter((request) => request.includes("/admin"))).toEqual([]);
  expect(receiver.requests.length).toBe(3);
  sender.close();
  receiver.close();
});
