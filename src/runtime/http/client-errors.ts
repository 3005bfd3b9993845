import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { timeout, type ApiError } from "../base/errors.js";
import type { Admission } from "./admission.js";
import type { Connections } from "./connections.js";
import { parserRefusal, sentHead, type ParserError } from "./parser-errors.js";
import { answerSocket, type RawAnswer } from "./raw-answer.js";
import { originForm } from "./request-guard.js";
import { pathOf } from "./route-table.js";
import type { RequestIds } from "./request-id.js";
import type { Limits } from "./settings.js";
import type { VersionUse } from "./version-use.js";

/** What answering on a bare connection takes. */
export interface ClientErrorOptions {
  readonly limits: Limits;
  readonly pretty: boolean;
  readonly requestIds: RequestIds;
  /** Writes a line at level debug. */
  readonly log: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly admission: Admission;
  /** VER-4 */
  readonly versions: VersionUse;
  /** What an answer to a page of an origin carries. */
  readonly originHeaders: (origin: string | undefined) => Readonly<Record<string, string>>;
}

/** Answers, once and in the contract's form, what the HTTP parser refuses and what takes too long (ERR-1). */
export class ClientErrors {
  private readonly answered = new WeakSet<Socket>();

  constructor(
    private readonly options: ClientErrorOptions,
    private readonly connections: Connections,
  ) {}

  /** For the server's `clientError`: bytes that are not a request, or a request that never ended. */
  readonly onClientError = (error: ParserError, socket: Socket): void => {
    if (this.answered.has(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const response = this.connections.of(socket)?.latest ?? null;
    const isBehind = response === null || response.req.complete;
    const { limits, pretty, requestIds } = this.options;
    const requestId = requestIds(isBehind ? undefined : response.req);
    const refusal = parserRefusal(error, limits, requestId);
    const answer = { error: refusal, requestId, pretty };
    if (isBehind) this.answerBehind(socket, this.knowing(error, answer), response);
    else if (response.headersSent) socket.destroy();
    else this.answer(socket, answer);
  };

  /** Refuses what comes behind the requests of a connection, and closes it. */
  refuse(socket: Socket, error: ApiError, requestId: string): void {
    const { pretty } = this.options;
    const last = this.connections.of(socket)?.latest ?? null;
    this.answerBehind(socket, { error, requestId, pretty }, last);
  }

  /** For the server's `timeout`: nothing has moved on the connection for too long. */
  readonly onTimeout = (socket: Socket): void => {
    const response = this.connections.of(socket)?.current ?? null;
    const isWaiting = response !== null && !response.headersSent && response.req.complete;
    if (!isWaiting || this.answered.has(socket)) {
      socket.destroy();
      return;
    }
    const { pretty, requestIds, admission, warn } = this.options;
    const { req } = response;
    const requestId = admission.idOf(response) ?? requestIds(req);
    warn(
      { requestId, method: req.method, path: pathOf(req.url ?? "") },
      "no response in time: 504",
    );
    this.answer(socket, { error: timeout(504, requestId), requestId, pretty });
  };

  /** The answer to a head that could be read as far as its path and origin: of its version (VER-4), and for that page. */
  private knowing(error: ParserError, answer: RawAnswer): RawAnswer {
    const { versions, originHeaders } = this.options;
    const { target: sent = "", origin } = sentHead(error);
    const target = originForm(sent);
    const gone = answer.error.status === 501 ? versions.retirement(target) : null;
    const headers = {
      ...Object.fromEntries(versions.headersFor(target)),
      ...originHeaders(origin),
    };
    return { ...answer, error: gone ?? answer.error, headers };
  }

  /** The bytes in question follow a whole request, whose answer goes first. */
  private answerBehind(socket: Socket, answer: RawAnswer, last: ServerResponse | null): void {
    if (last === null || last.writableFinished) {
      this.answer(socket, answer);
      return;
    }
    this.answered.add(socket);
    last.once("finish", () => this.answer(socket, answer));
  }

  private answer(socket: Socket, answer: RawAnswer): void {
    this.answered.add(socket);
    this.options.log({ requestId: answer.requestId, status: answer.error.status }, "refused");
    answerSocket(socket, answer);
  }
}
