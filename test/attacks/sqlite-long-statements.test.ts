import { expect, test } from "vitest";
import type { Client } from "../contract/support/client.js";
import { CONVOYS, under, WAGONS } from "../contract/support/convoys.js";
import { places, stop } from "../contract/support/process-tests.js";
import { pathOf } from "../contract/support/samples.js";
import { startProcess } from "../contract/support/service-process.js";
import { longConvoy, percentile99, waitsDuring } from "./support/sqlite-file.js";

const place = places();
const MANY = 200_000;
/** Lists that look at every row, or sort them. */
const LONG_LISTS = [
  `${WAGONS}?sort=-label&pageSize=100`,
  `${WAGONS}?label=nothing%20like%20it&status=lost`,
  `${WAGONS}?status=parked&sort=label,createdDate`,
  `${WAGONS}?pageSize=100&pageNumber=2000`,
];

/** What is as fast as this does not wait for anybody. */
const SHORT_MILLISECONDS = 50;
const MOST_ROUNDS = 3;

/** Lists for a while, and returns how long the longest one took. */
async function listAgain(client: Client, milliseconds: number): Promise<number> {
  const last = performance.now() + milliseconds;
  let longest = 0;
  for (let count = 0; performance.now() < last; count += 1) {
    const began = performance.now();
    // Not held against the document: that would take the time of who measures.
    const answer = await fetch(client.url + (LONG_LISTS[count % LONG_LISTS.length] ?? ""));
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    longest = Math.max(longest, performance.now() - began);
  }
  return longest;
}

test("nobody waits for another client's lists over 200,000 rows, nor for the end of a parent of as many", async () => {
  const cwd = place("long");
  const running = startProcess(cwd);
  const client = await running.ready;
  const small = pathOf(CONVOYS, await client.create(CONVOYS, { name: "small" }));
  const convoy = await longConvoy(client, cwd, MANY);
  const read = async (): Promise<void> => {
    expect((await client.send("GET", small)).status).toBe(200);
  };
  // The first ones start the processes.
  await listAgain(client, 500);
  const rounds: boolean[] = [];
  while (rounds.length < MOST_ROUNDS && !rounds.includes(true)) {
    const lists = listAgain(client, 2000);
    const waited = percentile99(await waitsDuring(lists, read));
    // Who has to wait, waits as long as a list takes.
    rounds.push(waited < Math.max(SHORT_MILLISECONDS, (await lists) / 2));
  }
  expect(rounds).toContain(true);

  const began = performance.now();
  const removal = client.send("DELETE", pathOf(CONVOYS, convoy));
  const longest = (await waitsDuring(removal, read)).at(-1);
  expect((await removal).status).toBe(204);
  expect(longest).toBeLessThan((performance.now() - began) / 2);
  expect((await client.send("GET", under(convoy))).status).toBe(404);
  expect((await client.read(WAGONS))["itemCount"]).toBe(0);
  expect(await stop(running)).toBe(0);
});
