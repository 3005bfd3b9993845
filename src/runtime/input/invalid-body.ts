import { ERROR_TYPES } from "../base/error-types.js";
import { ApiError, listed, type FieldIssue } from "../base/errors.js";

/** 400: a body of which properties break a rule, with what could be read of it (ERR-4). */
export class InvalidBody extends ApiError {
  constructor(
    readonly fields: readonly FieldIssue[],
    /** As it would be stored; null: there is nothing to look at. What stands for a property with an issue must not be used. */
    readonly read: unknown,
  ) {
    const { status, type, message } = ERROR_TYPES.validationFailed;
    super(status, type, message, listed(fields));
  }
}
