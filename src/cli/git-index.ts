/** What an index of git lists. Only the parts are read that say which paths are tracked. */
export interface GitIndex {
  /** One for each entry. A path that ends with "/" is a folder whose files are not listed (sparse index). */
  readonly paths: readonly string[];
  /** The index that this one was split from; null for one that is complete. */
  readonly shared: SharedIndex | null;
}

/** The index that a split one changes. */
export interface SharedIndex {
  /** The name of its file. */
  readonly name: string;
  /** Whether the entry at this position of the shared index is no longer tracked. */
  isRemoved(position: number): boolean;
}

/**
 * Reads an index of version 2, 3 or 4 (gitformat-index). Null for any other bytes. No process of git is run: it takes longer,
 * refuses a repository of another user, and runs the programs that the repository configures.
 */
export function readIndex(bytes: Buffer): GitIndex | null {
  // Only the configuration names the hash. With the wrong one no length in the file is right.
  return readWith(bytes, SHA_1) ?? readWith(bytes, SHA_256);
}

/** Bytes of a hash. */
const SHA_1 = 20;
const SHA_256 = 32;

function readWith(bytes: Buffer, hash: number): GitIndex | null {
  try {
    const { paths, end } = readEntries(bytes, hash);
    return { paths, shared: readLink(bytes, end, hash) };
  } catch (error) {
    // A read behind the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The bytes before the first entry: "DIRC", the version, and the number of entries. */
const HEADER = 12;
/** The times, the owner, the mode and the size of a file, before its hash. */
const STATUS = 40;
/** In the flags of an entry: two more bytes of flags follow, and the length of the path up to a bound. */
const HAS_MORE_FLAGS = 0x4000;
const LENGTH = 0xfff;

interface Entries {
  readonly paths: readonly string[];
  /** The offset behind the last entry. */
  readonly end: number;
}

function readEntries(bytes: Buffer, hash: number): Entries {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) throw damaged();
  const paths: string[] = [];
  let at = HEADER;
  let path = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const start = at;
    const flags = bytes.readUInt16BE(at + STATUS + hash);
    at += STATUS + hash + ((flags & HAS_MORE_FLAGS) === 0 ? 2 : 4);
    let kept = "";
    if (version === 4) {
      // The path begins as the one before does: so many of the last bytes of that one are dropped.
      const dropped = readVarint(bytes, at);
      at = dropped.end;
      if (dropped.value > path.length) throw damaged();
      kept = path.slice(0, path.length - dropped.value);
    }
    const end = bytes.indexOf(0, at);
    if (end === -1) throw damaged();
    path = kept + bytes.toString("latin1", at, end);
    if (Math.min(path.length, LENGTH) !== (flags & LENGTH)) throw damaged();
    paths.push(textOf(path));
    // Up to version 3, one to eight zeros make the length of an entry a multiple of eight.
    at = version === 4 ? end + 1 : start + Math.floor((end - start) / 8 + 1) * 8;
  }
  return { paths, end: at };
}

/** The text of a path, of which each character is a byte so far. */
function textOf(path: string): string {
  return /[\x80-\xff]/.test(path) ? Buffer.from(path, "latin1").toString("utf8") : path;
}

/** A number of any size: seven bits in each byte, and the highest bit says that another one follows. */
function readVarint(bytes: Buffer, from: number): { value: number; end: number } {
  let at = from;
  let value = bytes.readUInt8(at) & 0x7f;
  while ((bytes.readUInt8(at) & 0x80) !== 0) {
    at += 1;
    value = (value + 1) * 0x80 + (bytes.readUInt8(at) & 0x7f);
  }
  return { value, end: at + 1 };
}

/** Looks for the shared index among the extensions, which end at the hash of the file. */
function readLink(bytes: Buffer, from: number, hash: number): SharedIndex | null {
  const last = bytes.length - hash;
  let shared: SharedIndex | null = null;
  let at = from;
  while (at < last) {
    const start = at + 8;
    const end = start + bytes.readUInt32BE(at + 4);
    if (end > last) throw damaged();
    if (bytes.toString("latin1", at, at + 4) === "link") {
      shared = linkOf(bytes.subarray(start, end), hash);
    }
    at = end;
  }
  if (at !== last) throw damaged();
  return shared;
}

function linkOf(link: Buffer, hash: number): SharedIndex | null {
  if (link.length < hash) throw damaged();
  const name = link.toString("hex", 0, hash);
  // Git writes zeros where nothing is shared any more.
  if (/^0+$/.test(name)) return null;
  // There is no bitmap if nothing of the shared index was removed.
  const groups = link.length === hash ? [] : readBitmap(link.subarray(hash));
  return { name: `sharedindex.${name}`, isRemoved: (position) => hasBit(groups, position) };
}

/** A part of a bitmap: words of 64 bits that all consist of one bit, and then words as they are. */
interface BitGroup {
  readonly from: number;
  readonly bit: boolean;
  readonly literalsFrom: number;
  readonly literals: readonly bigint[];
  /** The word behind the last one. */
  readonly end: number;
}

/** Reads a bitmap in the format EWAH: the word before each group holds the bit and both numbers of words. */
function readBitmap(bytes: Buffer): readonly BitGroup[] {
  const groups: BitGroup[] = [];
  const last = 8 + bytes.readUInt32BE(4) * 8;
  let from = 0;
  for (let at = 8; at < last;) {
    const high = bytes.readUInt32BE(at);
    const low = bytes.readUInt32BE(at + 4);
    const literalsFrom = from + (low >>> 1) + (high & 1) * 2 ** 31;
    const literals: bigint[] = [];
    for (let left = high >>> 1; left > 0; left -= 1) {
      literals.push(bytes.readBigUInt64BE((at += 8)));
    }
    const end = literalsFrom + literals.length;
    groups.push({ from, bit: (low & 1) === 1, literalsFrom, literals, end });
    from = end;
    at += 8;
  }
  return groups;
}

function hasBit(groups: readonly BitGroup[], position: number): boolean {
  const word = Math.floor(position / 64);
  const group = groups.find(({ from, end }) => from <= word && word < end);
  if (group === undefined) return false;
  if (word < group.literalsFrom) return group.bit;
  const literal = group.literals[word - group.literalsFrom] ?? 0n;
  return ((literal >> BigInt(position % 64)) & 1n) === 1n;
}

function damaged(): RangeError {
  return new RangeError("This is not an index of git.");
}
