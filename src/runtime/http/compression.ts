import { gzip, gzipSync, type ZlibOptions } from "node:zlib";

import { contentTag } from "./entity-tag.js";

/** REP-6: a smaller body fits into one packet anyway. */
export const SMALLEST_COMPRESSED_BYTES = 1400;
/** Beyond this, compressing would keep other requests waiting. */
const LARGEST_SYNCHRONOUS_BYTES = 100 * 1024;
const OPTIONS = { level: 1 };

/** What a kept body is sent with, beside its tag. */
export type KeptHeaders = Readonly<Record<string, string>>;

/** A body that is kept, and shared by all its answers, with its compressed form once somebody has asked for that. */
export class KeptBody {
  readonly plain: Buffer;
  readonly tag: string;
  private gzipped: Promise<Buffer> | null = null;

  constructor(
    content: string | Buffer,
    readonly headers: KeptHeaders,
  ) {
    this.plain = typeof content === "string" ? Buffer.from(content) : content;
    this.tag = contentTag(this.plain);
  }

  get isCompressible(): boolean {
    return this.plain.length >= SMALLEST_COMPRESSED_BYTES;
  }

  /** Compressed as well as it can be, for it is done once. */
  compressed(): Promise<Buffer> {
    this.gzipped ??= promisedGzip(this.plain, {}).catch((error: unknown) => {
      this.gzipped = null;
      throw error;
    });
    return this.gzipped;
  }
}

/** Compresses a body: at once while it is small, in the background beyond. */
export function compress(body: string, bytes: number): Buffer | Promise<Buffer> {
  if (bytes <= LARGEST_SYNCHRONOUS_BYTES) return gzipSync(body, OPTIONS);
  return promisedGzip(body, OPTIONS);
}

function promisedGzip(body: string | Buffer, options: ZlibOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(body, options, (error, compressed) => {
      if (error === null) resolve(compressed);
      else reject(error);
    });
  });
}
