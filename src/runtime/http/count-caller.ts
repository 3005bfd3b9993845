import type { FastifyRequest } from "fastify";

import type { Authentication } from "../auth/authentication.js";
import { NOBODY, type Caller } from "../auth/caller.js";
import type { CallerLimit } from "./caller-limit.js";

/** LIM-2: counts a request of whoever sends it; whoever tries out tokens is counted by address. Throws 429, and 401 as usual. */
export async function countCaller(
  request: FastifyRequest,
  authentication: Authentication,
  limit: CallerLimit,
): Promise<Caller> {
  let caller: Caller;
  try {
    caller = await authentication.callerOf(request.raw);
  } catch (error) {
    limit.count(NOBODY, request.ip);
    throw error;
  }
  limit.count(caller, request.ip);
  return caller;
}
