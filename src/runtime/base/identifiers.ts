import { randomFillSync, randomUUID } from "node:crypto";
import { v7 } from "uuid";

import type { Clock } from "./time.js";

const RANDOM_BYTES = 16;
const POOL_BYTES = 256 * RANDOM_BYTES;
const HYPHEN = 0x2d;

/** A source of new identifiers (IDN-3): ordered by time (UUID version 7), or random (version 4). */
export function identifierSource(
  kind: "ordered" | "random",
  clock: Clock = Date.now,
): () => string {
  return kind === "random" ? () => randomUUID() : orderedSource(clock);
}

/** Each identifier is greater than the one before, also when the clock stands still or goes back. */
function orderedSource(clock: Clock): () => string {
  // One draw for 256 identifiers: a draw for each costs more than everything else here.
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
      // 31 of its 32 bits, so that there is room to count upwards within the millisecond.
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

/** A UUID in lower case; null for anything else, which identifies nothing (IDN-4). */
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
