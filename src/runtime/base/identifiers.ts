import { randomFillSync, randomUUID } from "node:crypto";
import { v7 } from "uuid";

import type { Clock } from "./time.js";

const RANDOM_BYTES = 16;
const POOL_BYTES = 256 * RANDOM_BYTES;
const HYPHEN = 0x2d;

/** IDN-3: ordered by time (UUID version 7), or random (version 4). */
export function identifierSource(
  kind: "ordered" | "random",
  clock: Clock = Date.now,
): () => string {
  return kind === "random" ? () => randomUUID() : orderedSource(clock);
}

/** Every identifier is greater than the last one, even if the clock is set back. */
function orderedSource(clock: Clock): () => string {
  // Random bytes for 256 identifiers at once: a call for each would cost more than all the rest.
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let msecs = -1;
  let seq = 0;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + RANDOM_BYTES);
    used += RANDOM_BYTES;
    const now = clock();
    if (now > msecs) {
      msecs = now;
      // Only 31 bits, which leaves room to count up within the millisecond.
      seq = random.readUInt32LE(0) >>> 1;
    } else if (seq === 0xffff_ffff) {
      msecs += 1;
      seq = 0;
    } else {
      seq += 1;
    }
    return v7({ random, msecs, seq });
  };
}

/** Returns the UUID in lower case, or null (IDN-4). */
export function parseIdentifier(text: string): string | null {
  if (text.length !== 36) return null;
  let upperCase = false;
  for (let index = 0; index < 36; index++) {
    const code = text.charCodeAt(index);
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (code !== HYPHEN) return null;
    } else if (code >= 0x41 && code <= 0x46) {
      upperCase = true;
    } else if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) {
      return null;
    }
  }
  return upperCase ? text.toLowerCase() : text;
}
