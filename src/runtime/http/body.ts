/**
 * Request bodies: which types the service accepts, how it receives them within bounds, and how it drops the unread rest. Also
 * reads `Accept` and `Accept-Encoding`, which restrict the body of the response.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";

import {
  malformedRequest,
  payloadTooLarge,
  serviceUnavailable,
  unsupportedEncoding,
  unsupportedMediaType,
} from "../base/errors.js";
import { SwapRemoveList, type Placed } from "./admission.js";
import { preferences, type Preference } from "./conditional.js";
import type { Answer } from "./connections.js";
import type { Limits } from "./settings.js";

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Receives the bodies of requests within a common memory bound (LIM-1). Beyond the bound, the body that has been silent for
 * longest is refused, so that idle senders cannot keep out active ones.
 */
export class Bodies {
  private bytes = 0;
  private readonly unfinished = new SwapRemoveList<Body>();
  /** Counts each new body and each chunk, so that bodies can be ordered by their last chunk. */
  private heard = 0;
  private readonly mostBytes: number;

  constructor({ bodyBytes, receivingBytes }: Limits) {
    // The buffer of one body is at most twice as large as its content.
    this.mostBytes = Math.max(receivingBytes, 2 * bodyBytes);
  }

  /** Calls `done` with the complete body, or with an error if the body is refused or its connection fails. */
  receive(request: FastifyRequest, payload: Readable, done: Done): void {
    const body = new Body(this, request, payload, done);
    this.unfinished.add(body);
    this.hear(body);
  }

  /** Counts the memory that a chunk has added to a body. Beyond the bound, refuses the bodies that were silent for longest. */
  count(body: Body, grown: number): void {
    this.bytes += grown;
    this.hear(body);
    if (this.bytes > this.mostBytes) this.makeRoom();
  }

  /** Releases a body that is complete, refused or failed. */
  forget(body: Body): void {
    this.unfinished.remove(body);
    this.bytes -= body.size;
  }

  private hear(body: Body): void {
    this.heard += 1;
    body.heard = this.heard;
  }

  private makeRoom(): void {
    while (this.bytes > this.mostBytes) {
      const oldest = this.oldest();
      if (oldest === undefined) return;
      oldest.refuse();
    }
  }

  /** Returns the body that has been silent for longest. */
  private oldest(): Body | undefined {
    let [found] = this.unfinished.all;
    for (const body of this.unfinished.all)
      if (found === undefined || body.heard < found.heard) found = body;
    return found;
  }
}

/** A body that is being received. */
class Body implements Placed {
  place = -1;
  /** The value of `Bodies.heard` at the last chunk, or at the beginning. */
  heard = 0;
  /** Bytes of memory in use. */
  size = 0;
  private length = 0;
  private buffer: Buffer | null = null;
  private readonly most: number;

  constructor(
    private readonly bodies: Bodies,
    private readonly request: FastifyRequest,
    private readonly payload: Readable,
    private readonly done: Done,
  ) {
    this.most = request.routeOptions.bodyLimit;
    payload.on("data", this.onData).on("end", this.onEnd).on("error", this.finish);
  }

  /** Fails with 503. Chunks that arrive later are dropped. */
  refuse(): void {
    this.finish(serviceUnavailable(this.request.id));
  }

  /** Adds a chunk and returns the growth in memory. Merges chunks, because a small one takes more memory than its content. */
  private add(chunk: Buffer): number {
    const { buffer, length, size } = this;
    this.length += chunk.length;
    if (buffer === null) {
      this.buffer = chunk;
      this.size = chunk.length;
    } else if (this.length <= size) chunk.copy(buffer, length);
    else {
      this.size = 2 * this.length;
      const larger = Buffer.allocUnsafeSlow(this.size);
      buffer.copy(larger, 0, 0, length);
      chunk.copy(larger, length);
      this.buffer = larger;
    }
    return this.size - size;
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.length + chunk.length > this.most) this.finish(payloadTooLarge(this.most));
    else this.bodies.count(this, this.add(chunk));
  };

  private readonly onEnd = (): void => this.finish(this.lengthError());

  private readonly finish = (error: Error | null): void => {
    const { payload, buffer, length } = this;
    payload.off("data", this.onData).off("end", this.onEnd).off("error", this.finish);
    this.bodies.forget(this);
    this.done(error, buffer === null ? EMPTY : buffer.subarray(0, length));
    this.buffer = null;
  };

  private lengthError(): Error | null {
    const announced = this.request.headers["content-length"];
    if (announced === undefined || Number(announced) === this.length) return null;
    return malformedRequest("The body is shorter or longer than its Content-Length.");
  }
}

const EMPTY = Buffer.alloc(0);

const JSON_TYPE = "application/json";
/** From specific to general. */
const JSON_RANGES = [JSON_TYPE, "application/*", "*/*"];
const MERGE_PATCH_TYPE = "application/merge-patch+json";
/** Bounds of the remembered verdicts, so that long or many different headers cannot fill the memory. */
const MAXIMUM_REMEMBERED = 200;
const LONGEST_REMEMBERED = 200;

/**
 * Reports whether `Accept` allows JSON (REP-8). The most specific range decides (RFC 9110, 12.5.1), except that a range with
 * `charset=utf-8` can allow JSON but not exclude it.
 */
export const acceptsJson = remembered(
  (accept) => {
    const ranges = preferences(accept);
    // An empty header excludes nothing.
    if (ranges.every(({ name }) => name === "")) return true;
    if (ranges.some((range) => isJsonInUtf8(range) && range.weight > 0)) return true;
    for (const name of JSON_RANGES) {
      const weights = ranges.filter(
        (range) => range.name === name && range.parameters.length === 0,
      );
      if (weights.length > 0) return weights.some(({ weight }) => weight > 0);
    }
    return false;
  },
  ["*/*", "application/json", "application/json, text/plain, */*"],
);

/**
 * Reports whether `Accept-Encoding` accepts gzip with at least the weight of the plain body (REP-6). `x-gzip` is an alias of
 * `gzip` (RFC 9110, 8.4.1.3).
 */
export const acceptsGzip = remembered(
  (header) => {
    const codings = preferences(header);
    const weightOf = (name: string): number | undefined =>
      codings.find((coding) => coding.name === name)?.weight;
    const other = weightOf("*") ?? 0;
    const gzip = weightOf("gzip") ?? weightOf("x-gzip") ?? other;
    return gzip > 0 && gzip >= (weightOf("identity") ?? other);
  },
  ["gzip", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd"],
);

/** Throws 415 unless the headers announce plain UTF-8 JSON that the method accepts (REP-8, OPS-5). */
export function checkBodyType(
  method: string,
  contentType: string | undefined,
  contentEncoding: string | undefined,
): void {
  const isPatch = method === "PATCH";
  const isEncoded = contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity";
  if (isEncoded) throw unsupportedEncoding();
  if (contentType === undefined || !isJsonType(contentType, isPatch)) {
    throw unsupportedMediaType(isPatch ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE]);
  }
}

function isJsonInUtf8({ name, parameters }: Preference): boolean {
  return name === JSON_TYPE && parameters.length === 1 && parameters[0] === "charset=utf-8";
}

function isJsonType(contentType: string, isPatch: boolean): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = "", ...parameters] = contentType.split(";");
  const name = type.trim().toLowerCase();
  if (name !== JSON_TYPE && !(isPatch && name === MERGE_PATCH_TYPE)) return false;
  return parameters.every(isNoOtherCharset);
}

function isNoOtherCharset(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=");
  if (name.trim().toLowerCase() !== "charset") return true;
  const charset = value.trim().replaceAll('"', "").toLowerCase();
  return charset === "utf-8" || charset === "utf8";
}

/** Returns `judge` with a memory of its verdicts. `allowed` are the headers that most clients send. */
function remembered(
  judge: (header: string) => boolean,
  allowed: readonly string[],
): (header: string | undefined, otherwise?: boolean) => boolean {
  const verdicts = new Map<string, boolean>(allowed.map((header) => [header, true]));
  return (header, otherwise = true) => {
    if (header === undefined) return otherwise;
    const known = verdicts.get(header);
    if (known !== undefined) return known;
    const verdict = judge(header);
    if (header.length > LONGEST_REMEMBERED) return verdict;
    if (verdicts.size >= MAXIMUM_REMEMBERED) verdicts.clear();
    verdicts.set(header, verdict);
    return verdict;
  };
}

/** Time in which a client that has sent too much can still read its response. Then the connection is destroyed. */
const LINGER_MILLISECONDS = 1000;
/** Bytes that any client may send after its response, so that a slightly oversized body does not end the connection. */
const LEAST_BYTES = 8 * 1024 * 1024;

/**
 * Returns a function that prepares a response: after it, the unread rest of the request's body is dropped, so that the next
 * request can follow. After 8 MiB, or after `mostBytes` if that is more, the connection is closed (LIM-1).
 */
export function unreadBodyBound(mostBytes: number): Answer {
  // One listener for all responses, because creating one for each request would cost time.
  function onFinish(this: ServerResponse): void {
    if (!this.req.complete) drop(this.req, Math.max(mostBytes, LEAST_BYTES));
  }
  return ({ headers }, response) => {
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
      return;
    // Runs before Node's own listener, which would drop all bytes without a bound.
    response.prependListener("finish", onFinish);
  };
}

function drop(request: IncomingMessage, mostBytes: number): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= mostBytes) return;
    request.off("data", count).pause();
    // Closing at once, with unread bytes, would reset the connection and lose the response (RFC 9112, 9.6).
    setTimeout(() => request.socket.destroy(), LINGER_MILLISECONDS);
  };
  request.on("data", count);
  // Node now treats the request as read.
  request.read(0);
}
