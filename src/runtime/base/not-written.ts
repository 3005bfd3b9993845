import { ERROR_TYPES } from "./error-types.js";
import { errorOf, type ApiError } from "./errors.js";

/** 501: an action that the service's own code does not have yet (OPS-11). */
export function notWritten(): ApiError {
  return errorOf(ERROR_TYPES.notWritten);
}
