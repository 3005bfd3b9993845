import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Admission, type InFlightRequest } from "#runtime/http/admission";
import { plainRegistry } from "./fixture/plain-registry.js";

const { limits } = plainRegistry().settings;
const ANSWER = { destroyed: false };

/** An admission, those that it has begun, and how many it has refused. */
function admissionOf(concurrentRequests = 1) {
  const admission = new Admission({ ...limits, concurrentRequests }, () => undefined);
  const begun: InFlightRequest[] = [];
  let refused = 0;
  return {
    admission,
    begun,
    refused: () => refused,
    ask(bytes = 0) {
      const begin = (): void => void begun.push(admission.begin(ANSWER, String(begun.length)));
      admission.observe();
      if (admission.hasRoom) begin();
      else admission.wait(bytes, begin, () => (refused += 1));
    },
  };
}

async function busyFor(milliseconds: number): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    const until = performance.now() + 10;
    while (performance.now() < until);
    await nextTurn();
  }
}

test("a process that is busy works on few at a time, one that waits for others on many", async () => {
  const { admission, begun, ask } = admissionOf(200);
  for (let index = 0; index < 1500; index += 1) ask();
  await busyFor(150);
  expect(begun.length).toBe(64);
  await expect.poll(() => begun.length, { timeout: 5000 }).toBe(1000);
  // Busy again, with requests that end soon.
  const inFlight = (): InFlightRequest[] => begun.filter(({ place }) => place >= 0);
  for (const end = performance.now() + 1500; performance.now() < end;) {
    const old = performance.now() - 20;
    for (const request of inFlight()) if (request.since < old) admission.end(request);
    for (let index = 0; index < 400; index += 1) ask();
    await busyFor(5);
  }
  expect(inFlight().length).toBeLessThanOrEqual(64);
});

test("while more and more are begun, since none of them keeps the process busy, nobody is refused", async () => {
  const { admission, begun, ask } = admissionOf(200);
  for (let index = 0; index < 600; index += 1) ask();
  while (begun.length < 600) {
    expect(admission.refusesArrival()).toBe(false);
    await pause(10);
  }
});

test("the requests that wait hold a bounded number of bytes, but the first may be of any size", async () => {
  const { admission, begun, ask, refused } = admissionOf();
  ask();
  ask(limits.receivingBytes + 1);
  ask(1);
  expect(refused()).toBe(1);
  for (const request of [...begun]) admission.end(request);
  await expect.poll(() => begun.length).toBe(2);
  ask(limits.receivingBytes / 2);
  ask(limits.receivingBytes / 2);
  ask(1);
  ask(0);
  expect(refused()).toBe(2);
});

test("while some have waited for a second, who comes is refused; after two seconds so are they", async () => {
  const { admission, ask, refused } = admissionOf();
  // Five at a time are begun by then, and none of them ends.
  for (let index = 0; index < 10; index += 1) ask();
  expect(admission.refusesArrival()).toBe(false);
  await expect.poll(() => admission.refusesArrival(), { timeout: 5000 }).toBe(true);
  expect(refused()).toBe(0);
  await expect.poll(refused, { timeout: 10_000 }).toBe(5);
  expect(admission.refusesArrival()).toBe(false);
});

test("refusals are kept back for two seconds, in order, and a bounded number of them", async () => {
  const { admission } = admissionOf();
  const sent: number[] = [];
  const began = performance.now();
  for (let index = 0; index < 5001; index += 1)
    admission.refuseArrival(() => void sent.push(index));
  expect(sent).toEqual([5000]);
  await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(5001);
  expect(performance.now() - began).toBeGreaterThan(1990);
  expect(sent.slice(1)).toEqual(Array.from({ length: 5000 }, (_, index) => index));
});

test("while connections come, they have a part of the time to themselves", async () => {
  const { admission, begun, ask } = admissionOf(1000);
  // A turn that is too long for another request to begin in it.
  admission.connected();
  const until = performance.now() + 40;
  while (performance.now() < until);
  ask();
  expect(begun.length).toBe(0);
  const began = performance.now();
  while (begun.length === 0) {
    admission.connected();
    await nextTurn();
  }
  // A quarter of the time that the turn took.
  expect(performance.now() - began).toBeGreaterThan(9);
});

test("as many may wait as are begun in a second", async () => {
  const { admission, begun, ask } = admissionOf();
  for (let index = 0; index < 200; index += 1) ask();
  expect(admission.refusesArrival()).toBe(false);
  // One ends now and then: a hundred of them would take for ever.
  const timer = setInterval(
    () => begun.filter(({ place }) => place >= 0).forEach((one) => admission.end(one)),
    40,
  );
  await expect.poll(() => admission.refusesArrival(), { timeout: 900 }).toBe(true);
  clearInterval(timer);
});
