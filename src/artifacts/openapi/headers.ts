import type { ResourceModel } from "../../model/resource-model.js";
import { operationsOf } from "../operations.js";
import type { ServiceSettings } from "../settings-code.js";
import type { OpenApi } from "./document.js";
import { isTagging } from "./preconditions.js";

/** Which errors there are beside those of every service. */
export interface CallerErrors {
  /** AUT-1 */
  readonly authenticated: boolean;
  /** LIM-2 */
  readonly limited: boolean;
}

/** OPS-12: what comes with `IdempotencyKeyPendingMessage`. */
export const KEY_HEADERS: OpenApi = {
  "Retry-After": { $ref: "#/components/headers/KeyRetryAfter" },
};

/** References to the headers of an answer. */
export function headerReferences(names: readonly string[]): OpenApi {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every header that an answer may carry for the client to read. */
export function headerComponents(
  resources: readonly ResourceModel[],
  { authenticated, limited }: CallerErrors,
): OpenApi {
  const text = (description: string): OpenApi => ({ description, schema: { type: "string" } });
  const uri = { type: "string", format: "uri" };
  return {
    "X-Request-Id": { ...text("Names the request in the service's log."), required: true },
    Vary: text("`Accept-Encoding`: the response may be compressed."),
    ...(resources.some((resource) => operationsOf(resource).lists) && {
      Link: text('The page that follows, `<URL>; rel="next"` (RFC 8288); the last page has none.'),
    }),
    Location: { description: "The new entity's URL.", required: true, schema: uri },
    ...(isTagging(resources) && {
      ETag: {
        ...text("Identifies this body: it changes whenever the body does (OPS-10)."),
        required: true,
      },
    }),
    ...(authenticated && {
      "WWW-Authenticate": {
        ...text("The authentication scheme to use (RFC 6750)."),
        required: true,
      },
    }),
    ...(limited && { "Retry-After": { ...RETRY_AFTER, required: true } }),
    ...(resources.some((resource) => operationsOf(resource).creates) && {
      KeyRetryAfter: KEY_RETRY_AFTER,
    }),
  };
}

/** What every answer may carry where pages of listed origins may read it: with `*` it is the same for all of them. */
export function originHeaders({ corsOrigins }: Pick<ServiceSettings, "corsOrigins">): OpenApi {
  if (corsOrigins.length === 0 || corsOrigins.includes("*")) return {};
  const description =
    "`Accept-Encoding`: the response may be compressed. `Origin`: pages of some origins may read it.";
  return { Vary: { description, schema: { type: "string" } } };
}

/** OPS-12 */
const KEY_RETRY_AFTER = {
  description: "Seconds to wait; with `IdempotencyKeyPendingMessage` only.",
  schema: { type: "integer", minimum: 0 },
};

/** Where a header says when to come again. */
export const RETRY_AFTER = {
  description: "Seconds to wait.",
  schema: { type: "integer", minimum: 0 },
};
