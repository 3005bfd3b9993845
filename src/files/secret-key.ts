import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isInside } from "./is-inside.js";

const BYTES = 32;

/** Where a key is kept, and from whom. */
export interface KeyPlace {
  /** A folder of the user's, absolute. */
  readonly folder: string;
  /** The folder of a project, which others may have written: no key is read from it. */
  readonly outside: string;
  /** The user, as the file system numbers them; null where it does not (Windows). */
  readonly uid: number | null;
  /** Bytes that cannot be guessed. */
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * The key in a folder, made when it is first asked for. Null where it can be neither read nor made, or where others may know
 * it, or have written it.
 */
export function secretKey({ folder, outside, uid, random }: KeyPlace): Uint8Array | null {
  if (isInside(outside, folder)) return null;
  const path = join(folder, "cache.key");
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeKey(folder, path, random);
    return isInside(outside, realpathSync(folder)) ? null : readKey(path, uid);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

function readKey(path: string, uid: number | null): Uint8Array | null {
  const status = lstatSync(path);
  const isPrivate = uid === null || (status.uid === uid && (status.mode & 0o077) === 0);
  return status.isFile() && status.size === BYTES && isPrivate ? readFileSync(path) : null;
}

/** Of several processes one makes the key: a link to a whole file comes into being at once, and replaces none. */
function makeKey(folder: string, path: string, random: KeyPlace["random"]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${Buffer.from(random(BYTES)).toString("hex")}.draft`);
  writeFileSync(draft, random(BYTES), { flag: "wx", mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
}
