import type { ResourceModel } from "../../model/service-model.js";
import { offers } from "../offers.js";
import { isReading, isTagging, preconditionErrors } from "./preconditions.js";
import { deleteConflictTypes, isAddressed, writeConflictTypes } from "./responses.js";
import type { OpenApi } from "./document.js";

/** A status that any operation may answer, and the types of error that come with it (ERR-2). */
interface CommonError {
  readonly name: string;
  readonly status: number;
  readonly description: string;
  readonly types: readonly string[];
  readonly headers?: readonly string[];
  readonly when: "always" | "body";
}

/** ERR-2: all that does not depend on a resource. */
export const COMMON_ERRORS: readonly CommonError[] = [
  {
    name: "BadRequest",
    status: 400,
    description: "The request is malformed, or breaks a rule that `fields` names.",
    types: ["ValidationFailedMessage", "MalformedRequestMessage"],
    when: "always",
  },
  {
    name: "NotAcceptable",
    status: 406,
    description: "`Accept` excludes JSON.",
    types: ["NotAcceptableMessage"],
    when: "always",
  },
  {
    name: "RequestTimeout",
    status: 408,
    description: "The request was not sent in time.",
    types: ["TimeoutMessage"],
    when: "always",
  },
  {
    name: "PayloadTooLarge",
    status: 413,
    description: "The body is larger than the limit.",
    types: ["PayloadTooLargeMessage"],
    when: "body",
  },
  {
    name: "UriTooLong",
    status: 414,
    description: "The URL is longer than the limit.",
    types: ["UriTooLongMessage"],
    when: "always",
  },
  {
    name: "UnsupportedMediaType",
    status: 415,
    description: "The body is not JSON.",
    types: ["UnsupportedMediaTypeMessage"],
    headers: ["Accept"],
    when: "body",
  },
  {
    name: "ExpectationFailed",
    status: 417,
    description: "`Expect` asks for something other than 100-continue.",
    types: ["ExpectationFailedMessage"],
    when: "always",
  },
  {
    name: "HeadersTooLarge",
    status: 431,
    description: "The headers are larger than the limit.",
    types: ["HeadersTooLargeMessage"],
    when: "always",
  },
  {
    name: "InternalError",
    status: 500,
    description: "The service failed; its log has the request id.",
    types: ["InternalErrorMessage"],
    when: "always",
  },
  {
    name: "ServiceUnavailable",
    status: 503,
    description: "The service can not answer now.",
    types: ["ServiceUnavailableMessage"],
    headers: ["Retry-After"],
    when: "always",
  },
  {
    name: "GatewayTimeout",
    status: 504,
    description: "The service did not answer in time.",
    types: ["TimeoutMessage"],
    when: "always",
  },
];

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
export const KEY_TYPES: readonly string[] = ["IdempotencyKeyReusedMessage"];

/** Why it does. */
export const KEY_TEXT =
  "The Idempotency-Key came with another body, or its request is still at work";
/** LIM-2, where callers are counted. */
const LIMIT_ERRORS = [
  {
    name: "TooManyRequests",
    description: "The caller has sent more requests in a minute than are allowed.",
    types: ["TooManyRequestsMessage"],
    headers: ["Retry-After"],
  },
] as const;

/** Which errors there are beside those of every service. */
export interface CallerErrors {
  /** AUT-1 */
  readonly authenticated: boolean;
  /** LIM-2 */
  readonly limited: boolean;
}

/** What any path may answer beside the operations that it offers. */
const OTHER_TYPES = [
  "PathNotFoundMessage",
  "VersionNotFoundMessage",
  "MethodNotAllowedMessage",
  "NotImplementedMessage",
];

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
    ...(resources.some(isRefusedByKeyAlone) && {
      IdempotencyKeyReused: errorResponse({ description: `${KEY_TEXT}.`, types: KEY_TYPES }),
    }),
    Error: errorResponse({
      description: "Any other refusal, such as 405 for a method that is not offered.",
      types: null,
      headers: ["Allow"],
    }),
  };
}

/** The refusals that do not name an entity. */
function commonErrors(
  resources: readonly ResourceModel[],
  { authenticated, limited }: CallerErrors,
) {
  return [
    ...COMMON_ERRORS,
    ...(authenticated ? SECURITY_ERRORS : []),
    ...(limited ? LIMIT_ERRORS : []),
    ...preconditionErrors(resources),
  ];
}

/** Its POST has no other conflict than that of the key. */
export function isRefusedByKeyAlone(resource: ResourceModel): boolean {
  return offers(resource).creates && writeConflictTypes(resource).length === 0;
}

/** An answer from 400 up: contract 7.2 and 7.3. */
export function errorResponse(error: {
  readonly description: string;
  /** Null: any of the service's types, or one that its own code made up. */
  readonly types: readonly string[] | null;
  readonly headers?: readonly string[];
}): OpenApi {
  return {
    description: error.description,
    headers: headerReferences(["X-Request-Id", "Vary", ...(error.headers ?? [])]),
    content: { "application/json": { schema: errorSchema(error.types) } },
  };
}

function errorSchema(types: readonly string[] | null): OpenApi {
  const validation = types?.includes("ValidationFailedMessage") ?? true;
  return {
    type: "object",
    required: ["errors"],
    properties: {
      errors: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["type", "message"],
          properties: {
            type: types === null ? ANY_TYPE : { enum: types },
            message: { type: "string" },
            description: { type: "string" },
            ...(validation && { fields: FIELDS }),
          },
        },
      },
    },
  };
}

/** ERR-2; what the user's code throws is answered as it stands, and its type is no row of the table. */
const ANY_TYPE = {
  anyOf: [
    { $ref: "#/components/schemas/Common.ErrorType" },
    { type: "string", pattern: "Message$" },
  ],
};

/** ERR-4 */
const FIELDS = {
  type: "array",
  description: "One element per offending property or parameter.",
  items: {
    type: "object",
    required: ["field", "message"],
    properties: { field: { type: "string" }, message: { type: "string" } },
  },
};

/** Every type of error that the version answers. */
export function errorTypeSchema(
  resources: readonly ResourceModel[],
  callers: CallerErrors,
): OpenApi {
  const own = resources.flatMap((resource) => [
    ...(isAddressed(resource) ? [`${resource.entity.typeName}NotFoundMessage`] : []),
    ...(offers(resource).writes ? writeConflictTypes(resource) : []),
    ...(offers(resource).creates ? KEY_TYPES : []),
    ...(offers(resource).deletes ? deleteConflictTypes(resource) : []),
  ]);
  const common = commonErrors(resources, callers).flatMap(({ types }) => types);
  return { type: "string", enum: [...new Set([...common, ...OTHER_TYPES, ...own])] };
}

/** References to the headers of an answer. */
export function headerReferences(names: readonly string[]): OpenApi {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every header that an answer may carry for the client to read. */
export function headerComponents(
  resources: readonly ResourceModel[],
  authenticated: boolean,
): OpenApi {
  const text = (description: string): OpenApi => ({ description, schema: { type: "string" } });
  const uri = { type: "string", format: "uri" };
  const seconds = { type: "integer", minimum: 0 };
  return {
    "X-Request-Id": { ...text("Names the request in the service's log."), required: true },
    Vary: text("`Accept-Encoding`: the answer may be compressed."),
    Location: { description: "The new entity's URL.", required: true, schema: uri },
    ...(isTagging(resources) && {
      ETag: {
        ...text("Names this body: another one has another tag (OPS-10)."),
        required: true,
      },
    }),
    Allow: text("The methods that the path offers."),
    Accept: { ...text("The types of body that are accepted."), required: true },
    ...(authenticated && {
      "WWW-Authenticate": { ...text("How to say who is calling (RFC 6750)."), required: true },
    }),
    "Retry-After": { description: "Seconds to wait.", required: true, schema: seconds },
  };
}
