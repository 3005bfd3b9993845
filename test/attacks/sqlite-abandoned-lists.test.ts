import { get } from "node:http";

import { expect, test } from "vitest";

import { WAGONS } from "../contract/support/convoys.js";
import { pause, places } from "../contract/support/process-tests.js";
import { logOf, startProcess } from "../contract/support/service-process.js";
import { longConvoy } from "./support/sqlite-file.js";

const place = places();
const MANY = 200_000;
const LONG_LIST = `${WAGONS}?status=parked&sort=label,createdDate&pageSize=100`;
const CLIENTS = 100;
/** How long one who gives up has waited. */
const PATIENCE_MILLISECONDS = 100;
/** A list behind as many that are carried out takes many times as long as this. */
const LONGEST_MILLISECONDS = 8000;
/** The level in the log of what is an error. */
const ERROR = 50;

/** Asks for a list from an address of this machine; returns the status, or null where it was given up. */
async function list(url: string, from: string, patience: number | null): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get(url + LONG_LIST, { agent: false, localAddress: from }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", () => resolve(null));
    if (patience !== null) setTimeout(() => request.destroy(), patience);
  });
}

test("lists that were given up, and those of one caller, do not keep another from its own", async () => {
  const cwd = place("abandoned");
  const running = startProcess(cwd);
  const client = await running.ready;
  await longConvoy(client, cwd, MANY);
  expect(await list(client.url, "127.0.0.1", null)).toBe(200);
  const errors = (): number => logOf(running.output).filter(({ level }) => level >= ERROR).length;
  // That the database was locked while it was filled is one.
  const filling = errors();

  const last = performance.now() + 1000;
  const giveUp = async (): Promise<void> => {
    while (performance.now() < last) await list(client.url, "127.0.0.1", PATIENCE_MILLISECONDS);
  };
  await Promise.all(Array.from({ length: CLIENTS }, giveUp));
  let began = performance.now();
  expect(await list(client.url, "127.0.0.1", null)).toBe(200);
  expect(performance.now() - began).toBeLessThan(LONGEST_MILLISECONDS);

  // Nobody has to look after what a caller did not wait for.
  expect(errors()).toBe(filling);

  const crowd = Array.from({ length: CLIENTS }, async () => list(client.url, "127.0.0.1", 20_000));
  await pause(PATIENCE_MILLISECONDS);
  began = performance.now();
  expect(await list(client.url, "127.0.0.2", null)).toBe(200);
  expect(performance.now() - began).toBeLessThan(LONGEST_MILLISECONDS);
  running.child.kill("SIGKILL");
  await Promise.all(crowd);
});
