import fastify, { type FastifyReply, type FastifyRequest } from "fastify";

import { pathOf } from "./route-table.js";

/** One line a request, at level debug: never a query, a header or a body, which may hold what nobody should read. */
export class RequestLog extends fastify.LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: "requestId" });
  }

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { raw, method } = request;
    const ms = Math.round(reply.elapsedTime * 100) / 100;
    const line = { method, path: pathOf(raw.url ?? ""), status: reply.statusCode, ms };
    // The logger of the request adds its id.
    request.log.debug(line, "request");
  }
}
