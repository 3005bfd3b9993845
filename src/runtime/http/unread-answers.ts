import type { ServerResponse } from "node:http";

/** Smaller ones are not counted: a connection has at most one, and costs about as much itself. */
export const SMALLEST_COUNTED_BYTES = 32 * 1024;
/** How long a client may leave an answer unread when there is no room for others. */
const PATIENCE_MILLISECONDS = 5000;

interface UnreadAnswer {
  readonly bytes: number;
  readonly since: number;
}

/** The large answers that are being made or have not been read: they hold a bounded number of bytes together (LIM-1). */
export class UnreadAnswers {
  private bytes = 0;
  /** In the order in which they began. */
  private readonly answers = new Map<ServerResponse, UnreadAnswer>();

  constructor(
    private readonly mostBytes: number,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Counts an answer until it has left; false where there is no room for it. Clients that have not read theirs for a
   * while are disconnected first, so that they cannot keep others out.
   */
  admit(response: ServerResponse, bytes: number, isNeeded: boolean): boolean {
    if (!this.hasRoom(bytes)) this.makeRoom(bytes);
    if (!isNeeded && !this.hasRoom(bytes)) return false;
    this.bytes += bytes;
    this.answers.set(response, { bytes, since: this.now() });
    const release = (): void => this.release(response);
    // The first comes before the next request of the connection begins, the other where the connection broke.
    response.once("finish", release).once("close", release);
    return true;
  }

  private hasRoom(bytes: number): boolean {
    return this.bytes === 0 || this.bytes + bytes <= this.mostBytes;
  }

  private makeRoom(bytes: number): void {
    const before = this.now() - PATIENCE_MILLISECONDS;
    for (const [response, { since }] of this.answers) {
      if (since > before || this.hasRoom(bytes)) return;
      this.release(response);
      response.destroy();
    }
  }

  private release(response: ServerResponse): void {
    const answer = this.answers.get(response);
    if (answer === undefined) return;
    this.answers.delete(response);
    this.bytes -= answer.bytes;
  }
}
