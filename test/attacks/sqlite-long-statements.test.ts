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

/** Far above what is seen on an idle machine, far below what one statement takes. */
const MOST_MILLISECONDS = 250;

async function listAgain(client: Client, milliseconds: number): Promise<number> {
  const last = Date.now() + milliseconds;
  let count = 0;
  while (Date.now() < last) {
    // Not held against the document: that would take the time of who measures.
    const answer = await fetch(client.url + (LONG_LISTS[count % LONG_LISTS.length] ?? ""));
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    count += 1;
  }
  return count;
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
  const lists = await waitsDuring(listAgain(client, 3000), read);
  expect(percentile99(lists)).toBeLessThan(MOST_MILLISECONDS);

  const removal = client.send("DELETE", pathOf(CONVOYS, convoy));
  const during = await waitsDuring(removal, read);
  expect((await removal).status).toBe(204);
  expect(during.at(-1)).toBeLessThan(MOST_MILLISECONDS * 2);
  expect((await client.send("GET", under(convoy))).status).toBe(404);
  expect((await client.read(WAGONS))["itemCount"]).toBe(0);
  expect(await stop(running)).toBe(0);
});
