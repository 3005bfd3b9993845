import type { ResourceModel } from "../../model/resource-model.js";
import { operationsOf } from "../operations.js";
import { isReading, preconditionErrors } from "./preconditions.js";
import { deleteConflictTypes, isAddressed, writeConflictTypes } from "./responses.js";
import { headerReferences, KEY_HEADERS, RETRY_AFTER, type CallerErrors } from "./headers.js";
import type { OpenApi } from "./document.js";

/** A refusal that any request may meet, whatever its operation (ERR-2). */
interface CommonError {
  readonly status: number;
  readonly text: string;
  readonly types: readonly string[];
  /** The header that comes with it, or one of several. */
  readonly headers?: readonly string[];
}

/** ERR-2: what any operation answers as it answers all others. */
const COMMON_ERRORS: readonly CommonError[] = [
  {
    status: 400,
    text: "The bytes received are not a request.",
    types: ["MalformedRequestMessage"],
  },
  {
    status: 404,
    text: "There is nothing at the path.",
    types: ["PathNotFoundMessage", "VersionNotFoundMessage"],
  },
  {
    status: 405,
    text: "The path does not offer the method.",
    types: ["MethodNotAllowedMessage"],
    headers: ["Allow"],
  },
  { status: 406, text: "`Accept` excludes JSON.", types: ["NotAcceptableMessage"] },
  { status: 408, text: "The request was not sent in time.", types: ["TimeoutMessage"] },
  {
    status: 413,
    text: "The body is larger than the limit.",
    types: ["PayloadTooLargeMessage"],
  },
  { status: 414, text: "The URL is longer than the limit.", types: ["UriTooLongMessage"] },
  {
    status: 415,
    text: "The body is not JSON, or has a `Content-Encoding`.",
    types: ["UnsupportedMediaTypeMessage"],
    headers: ["Accept", "Accept-Encoding"],
  },
  {
    status: 417,
    text: "`Expect` asks for something other than 100-continue.",
    types: ["ExpectationFailedMessage"],
  },
  {
    status: 431,
    text: "The headers are larger than the limit.",
    types: ["HeadersTooLargeMessage"],
  },
  {
    status: 500,
    text: "The service failed; its log has the request id.",
    types: ["InternalErrorMessage"],
  },
  { status: 501, text: "The service does not know the method.", types: ["NotImplementedMessage"] },
  {
    status: 503,
    text: "The service cannot answer now.",
    types: ["ServiceUnavailableMessage"],
    headers: ["Retry-After"],
  },
  {
    status: 504,
    text: "The service did not answer in time. A change may have been made or may still be made: repeat the request with the same `Idempotency-Key`, or read the entity or the list.",
    types: ["TimeoutMessage"],
  },
];

/** What the service says of a request before it looks at an entity. */
const REQUEST_ERRORS = [
  {
    name: "BadRequest",
    description: "The request is malformed, or breaks a rule that `fields` names.",
    types: ["ValidationFailedMessage", "MalformedRequestMessage"],
  },
] as const;

/** The refusals of services that know their callers (AUT-1, AUT-2). */
const SECURITY_ERRORS = [
  {
    name: "Unauthorized",
    description: "The token is missing or not valid.",
    types: ["UnauthorizedMessage"],
    headers: ["WWW-Authenticate"],
  },
  {
    name: "Forbidden",
    description: "The caller may not do this.",
    types: ["ForbiddenMessage"],
  },
] as const;

/** OPS-12: what every POST may answer. */
export const KEY_TYPES: readonly string[] = [
  "IdempotencyKeyReusedMessage",
  "IdempotencyKeyPendingMessage",
];

/** Why it does. */
export const KEY_TEXT =
  "The Idempotency-Key was used with a different body, or its first request is still running";
/** LIM-2, where callers are counted. */
const LIMIT_ERRORS = [
  {
    name: "TooManyRequests",
    description: "The caller has sent more requests in a minute than are allowed.",
    types: ["TooManyRequestsMessage"],
    headers: ["Retry-After"],
  },
] as const;

/** The responses that operations of all resources refer to. */
export function errorResponses(
  resources: readonly ResourceModel[],
  callers: CallerErrors,
): OpenApi {
  const all = commonErrors(resources, callers);
  const named = all.map((error) => [error.name, errorResponse(error)]);
  return {
    ...(Object.fromEntries(named) as OpenApi),
    ...(isReading(resources) && {
      NotModified: {
        description: "The client has this body already (RFC 9110 15.4.5).",
        headers: headerReferences(["X-Request-Id", "Vary", "ETag"]),
      },
    }),
    ...(resources.some((resource) => operationsOf(resource).deletes) && {
      Deleted: { description: "It is gone.", headers: headerReferences(["X-Request-Id"]) },
    }),
    ...(resources.some(isRefusedByKeyAlone) && {
      IdempotencyKeyConflict: errorResponse({
        description: `${KEY_TEXT}.`,
        types: KEY_TYPES,
        ownHeaders: KEY_HEADERS,
      }),
    }),
    Error: otherErrors(),
  };
}

/** ERR-2: what no operation lists by itself, and what the service's own code refuses. */
function otherErrors(): OpenApi {
  const either = (names: readonly string[]): string =>
    names.map((name) => `\`${name}\``).join(" or ");
  const lines = COMMON_ERRORS.map(({ status, types, headers = [], text }) => {
    const brought = headers.length === 0 ? "" : `, with ${either(headers)}`;
    return `- ${status} ${either(types)}${brought}: ${text}`;
  });
  const header = (description: string): OpenApi => ({ description, schema: { type: "string" } });
  const { description, schema } = RETRY_AFTER;
  return {
    description: `Any other refusal:\n\n${lines.join("\n")}`,
    headers: {
      ...headerReferences(["X-Request-Id", "Vary"]),
      Allow: header("The methods that the path offers."),
      Accept: header("The types of body that are accepted."),
      "Accept-Encoding": header("`identity`: a body is sent without `Content-Encoding`."),
      "Retry-After": { description, schema },
    },
    content: { "application/json": { schema: ERROR } },
  };
}

/** The refusals that do not name an entity. */
function commonErrors(
  resources: readonly ResourceModel[],
  { authenticated, limited }: CallerErrors,
) {
  return [
    ...REQUEST_ERRORS,
    ...(authenticated ? SECURITY_ERRORS : []),
    ...(limited ? LIMIT_ERRORS : []),
    ...preconditionErrors(resources),
  ];
}

/** Its POST has no other conflict than that of the key. */
export function isRefusedByKeyAlone(resource: ResourceModel): boolean {
  return operationsOf(resource).creates && writeConflictTypes(resource).length === 0;
}

/** An answer from 400 up whose types are known: contract 7.2 and 7.3. */
export function errorResponse(error: {
  readonly description: string;
  readonly types: readonly string[];
  readonly headers?: readonly string[];
  readonly ownHeaders?: OpenApi;
}): OpenApi {
  const type = { enum: error.types };
  // What an item or the whole is, `Common.Error` says; without "array" generators of clients would take the list for unknown.
  const errors = { type: "array", items: { properties: { type } } };
  const schema = { allOf: [ERROR], properties: { errors } };
  return {
    description: error.description,
    headers: {
      ...headerReferences(["X-Request-Id", "Vary", ...(error.headers ?? [])]),
      ...error.ownHeaders,
    },
    content: { "application/json": { schema } },
  };
}

const ERROR = { $ref: "#/components/schemas/Common.Error" };

/** The body of every refusal (ERR-1). */
export function errorSchema(): OpenApi {
  return {
    type: "object",
    description: "Why a request was refused.",
    required: ["errors"],
    properties: {
      errors: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["type", "message"],
          properties: {
            type: ANY_TYPE,
            message: { type: "string" },
            description: { type: "string" },
            fields: FIELDS,
          },
        },
      },
    },
  };
}

/** ERR-2; what the user's code throws is answered as it stands, and its type is not in the table. */
const ANY_TYPE = {
  anyOf: [
    { $ref: "#/components/schemas/Common.ErrorType" },
    { type: "string", pattern: "Message$" },
  ],
};

/** ERR-4 */
const FIELDS = {
  type: "array",
  description: "One element per offending property or parameter, where the request breaks a rule.",
  items: {
    type: "object",
    required: ["field", "message"],
    properties: { field: { type: "string" }, message: { type: "string" } },
  },
};

/** OPS-11 */
function isActing({ actions }: ResourceModel): boolean {
  return actions.length > 0;
}

/** Every type of error that the version answers. */
export function errorTypeSchema(
  resources: readonly ResourceModel[],
  callers: CallerErrors,
): OpenApi {
  const own = resources.flatMap((resource) => [
    ...(isAddressed(resource) ? [`${resource.entity.name.typeName}NotFoundMessage`] : []),
    ...(operationsOf(resource).writes || isActing(resource) ? writeConflictTypes(resource) : []),
    ...(operationsOf(resource).creates || isActing(resource) ? KEY_TYPES : []),
    ...(operationsOf(resource).deletes ? deleteConflictTypes(resource) : []),
  ]);
  const common = [...commonErrors(resources, callers), ...COMMON_ERRORS].flatMap(
    ({ types }) => types,
  );
  return { type: "string", enum: [...new Set([...common, ...own])] };
}
