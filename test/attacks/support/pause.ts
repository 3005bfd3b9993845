import { setTimeout as after } from "node:timers/promises";

/** Lets time pass. */
export async function pause(milliseconds: number): Promise<void> {
  await after(milliseconds);
}

/** Asks again and again until something holds; false when it does not within the time. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  milliseconds: number,
  every = 50,
): Promise<boolean> {
  const last = Date.now() + milliseconds;
  for (;;) {
    if (await isSo()) return true;
    if (Date.now() > last) return false;
    await pause(every);
  }
}
