import type { Answer, Json } from "./client.js";
import type { OpenApiOracle, Operation } from "./openapi-oracle.js";
import { typesOf } from "./provoke.js";
import { DIFFERENCES, valueAt } from "./schema-differences.js";

/** Where the service and the schema judge a body differently, and none of the named differences says why. */
export function disagreements(
  oracle: OpenApiOracle,
  operation: Operation,
  { body, answer }: { readonly body: Json | undefined; readonly answer: Answer },
): readonly string[] {
  const errors = body === undefined ? [] : oracle.bodyErrors(operation, body);
  if (answer.status === 400 && errors.length === 0) {
    return fieldsOf(answer)
      .filter(({ field, message }) => {
        const value = valueAt(body ?? {}, field);
        return !DIFFERENCES.some(({ refusedByService }) =>
          refusedByService?.({ method: operation.method, field, message, value }),
        );
      })
      .map(({ field, message }) => `the service alone refuses ${field}: ${message}`);
  }
  if (answer.status === 400) return [];
  // STA-1: a create may name one state; the service refuses another one as a conflict.
  if (
    answer.status === 409 &&
    operation.method === "POST" &&
    typesOf(answer.json).some(isOfState)
  ) {
    return errors.length > 0 ? [] : ["the service alone refuses the state"];
  }
  return errors
    .filter((error) => {
      const value = valueAt(body ?? {}, error.instancePath);
      return !DIFFERENCES.some(({ refusedBySchema }) => refusedBySchema?.(error, value));
    })
    .map(({ instancePath, message }) => `the schema alone refuses ${instancePath}: ${message}`);
}

function isOfState(type: string): boolean {
  return /^Invalid\w+StateMessage$/.test(type);
}

function fieldsOf(answer: Answer): readonly { readonly field: string; readonly message: string }[] {
  // The answer has been held against the document.
  const [error] = answer.json["errors"] as unknown as readonly [{ fields?: [] }];
  return error.fields ?? [{ field: "", message: answer.text }];
}
