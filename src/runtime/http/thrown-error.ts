import { validateHeaderName, validateHeaderValue } from "node:http";

import { throwerOf } from "../base/custom-code.js";
import { ApiError, type ErrorDetails, type FieldIssue } from "../base/errors.js";

/** They say where a response ends, or how its body is sent: only the server knows. */
const FRAMING = new Set([
  ...["connection", "content-encoding", "content-length", "content-type", "keep-alive"],
  ...["trailer", "transfer-encoding", "upgrade"],
]);
/** What is read of an error later; a getter may throw. */
const READ = ["name", "message", "stack", "code", "statusCode", "cause"];
const WHAT_TO_DO =
  "Throw an ApiError with a status from 400 to 599 and strings in all other fields.";

/** What was thrown cannot be answered as it is: that is 500, and the log says why. */
export class UnusableError extends Error {
  override readonly name = "UnusableError";
}

/**
 * What custom code threw, as it can be answered and logged: a checked copy of an `ApiError`, an `UnusableError` for one that
 * breaks a rule or fails when it is read, anything else as it is.
 */
export function readableError(error: unknown): unknown {
  try {
    if (error instanceof ApiError) return checked(error);
    if (!(error instanceof Error)) return error;
    for (const name of READ) Reflect.get(error, name);
    return error;
  } catch (fault) {
    const code = throwerOf(error) ?? "src/app.ts";
    const reason = fault instanceof UnusableError ? fault.message : "It fails when it is read.";
    return new UnusableError(
      `The error that ${code} threw cannot be sent as a response. ${reason}`,
      { cause: error },
    );
  }
}

function checked(error: ApiError): ApiError {
  const { status, type, message, details } = error;
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new UnusableError(`Its status is ${String(status)}. ${WHAT_TO_DO}`);
  return new ApiError(status, text("type", type), text("message", message), {
    ...(details.description !== undefined && {
      description: text("description", details.description),
    }),
    ...(details.fields !== undefined && { fields: fieldsOf(details.fields) }),
    ...(details.headers !== undefined && { headers: headersOf(details.headers) }),
  });
}

function fieldsOf(fields: readonly FieldIssue[]): readonly FieldIssue[] {
  return [...fields].map(({ field, message }) => {
    return { field: text("fields.field", field), message: text("fields.message", message) };
  });
}

/** With texts that Node can send: a caller's text may have any characters. */
function headersOf(headers: Readonly<Record<string, string>>): ErrorDetails["headers"] & object {
  const entries = Object.entries(headers).map(([name, value]): readonly [string, string] => {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text(name, value));
    } catch {
      throw new UnusableError(
        `Its header "${name}" has a name or a value that HTTP cannot send: encode the value with encodeURIComponent.`,
      );
    }
    if (!FRAMING.has(name.toLowerCase())) return [name, value];
    throw new UnusableError(`Its header "${name}" is set by the server: leave it out.`);
  });
  return Object.fromEntries(entries);
}

function text(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new UnusableError(`Its ${name} is not a string. ${WHAT_TO_DO}`);
}
