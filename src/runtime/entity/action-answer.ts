import { ApiError } from "../base/errors.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { ok, type HttpReply } from "../http/http.js";
import type { JsonObject } from "../input/json.js";

/**
 * What the code of an action answers of its own, read like a body (OPS-11). Throws `OwnCodeFault` for what breaks a rule, and
 * with the `name` of the action in it: nothing is stored then, and nothing sent.
 */
export function readAnswer<Answer>(
  name: string,
  read: (answer: JsonObject) => Answer,
  given: object,
): Answer {
  try {
    // It is read as if a client had sent it, whatever its code says that it is.
    return read(given as JsonObject);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.details.fields ?? [];
    throw new OwnCodeFault(name, fields);
  }
}

/** 200 with what an action answers, pretty (REP-5) unless it is told otherwise. */
export function actionAnswer(answer: unknown, pretty = true): HttpReply {
  return ok(JSON.stringify(answer, null, pretty ? 2 : 0));
}
