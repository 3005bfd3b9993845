import { customCodeRunning } from "../base/custom-code.js";
import type { RequestContext } from "../http/request-context.js";

/** Custom code that a service calls may call services itself: the most levels of that. */
const MOST_LEVELS = 16;
/** Of one transaction, or of one request where there is none. */
const MOST_CALLS = 10_000;
/** The most calls in a row before other requests have their turn. */
const TURN = 100;

/** Custom code calls services without end, or nearly so. */
class EndlessCalls extends Error {
  override readonly name = "EndlessCalls";
}

/** Counts a call of a service that `caller` makes; `call` is its context. Throws where there are too many. */
export async function countCall(call: RequestContext, caller: RequestContext): Promise<void> {
  call.level = caller.level + 1;
  const calls = call.countCall();
  const fault = faultOf(call.level, calls);
  // Also before it throws: code that catches the error and goes on must not stop everything else.
  if (fault !== null || (calls > 0 && calls % TURN === 0))
    await new Promise((resolve) => setImmediate(resolve));
  if (fault === null) return;
  const code = customCodeRunning() ?? "custom code";
  throw new EndlessCalls(`${code} calls context.services ${fault}`);
}

function faultOf(level: number, calls: number): string | null {
  if (level > MOST_LEVELS)
    return `more than ${MOST_LEVELS} levels deep. Does a hook call its own service?`;
  if (calls <= MOST_CALLS) return null;
  return `more than ${MOST_CALLS} times in one transaction. Divide the work, or do it in a job.`;
}
