import type { Readable } from "node:stream";

import type { FastifyRequest } from "fastify";

import { malformedRequest, payloadTooLarge, serviceUnavailable } from "../base/errors.js";
import type { Limits } from "./settings.js";
import { SwapRemoveList, type Placed } from "./swap-remove-list.js";

const RETRY_AFTER_SECONDS = 1;

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Receives the bodies of requests, which hold a bounded number of bytes together (LIM-1). Where there are more, the one
 * of which nothing has come for longest is refused: many senders that wait cannot keep out one that sends.
 */
export class Bodies {
  private bytes = 0;
  private readonly unfinished = new SwapRemoveList<Body>();
  /** Counts what comes, so that each body knows how long ago that was. */
  private heard = 0;
  private readonly mostBytes: number;

  constructor({ bodyBytes, receivingBytes }: Limits) {
    // The buffer of one body is at most twice as large as what it holds.
    this.mostBytes = Math.max(receivingBytes, 2 * bodyBytes);
  }

  /** Calls `done` with the whole body, or with the error that refuses it. */
  receive(request: FastifyRequest, payload: Readable, done: Done): void {
    const body = new Body(this, request, payload, done);
    this.unfinished.add(body);
    this.hear(body);
  }

  /** Something of a body has come, and its memory has grown. */
  count(body: Body, grown: number): void {
    this.bytes += grown;
    this.hear(body);
    if (this.bytes > this.mostBytes) this.makeRoom();
  }

  /** A body is complete, or refused. */
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

  /** The one of which nothing has come for longest. */
  private oldest(): Body | undefined {
    let [found] = this.unfinished.all;
    for (const body of this.unfinished.all)
      if (found === undefined || body.heard < found.heard) found = body;
    return found;
  }
}

/** A body as far as it has been received. */
class Body implements Placed {
  place = -1;
  /** When something of it came last. */
  heard = 0;
  /** Bytes of memory that it holds. */
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

  /** What still comes is dropped. */
  refuse(): void {
    this.finish(serviceUnavailable(RETRY_AFTER_SECONDS, this.request.id));
  }

  /** Most bodies come in one piece; the pieces of others are copied together, as a small piece costs more than it holds. */
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
