import type { VersionHeader } from "../../model/resource-model.js";
import type { OpenApi } from "./document.js";
import { headerReferences } from "./headers.js";

/** Every answer has it, so that what is added to every answer stands beside it. */
const EVERYWHERE = "X-Request-Id";

/** A part of a document whose answers all carry more headers, such as those of a deprecated version (VER-4). */
export function withHeaders(part: OpenApi, names: readonly string[]): OpenApi {
  return names.length === 0 ? part : added(part, headerReferences(names));
}

function added(part: OpenApi, headers: OpenApi): OpenApi {
  const members = Object.entries(part).map(([name, value]) => [name, inside(value, headers)]);
  const own = Object.hasOwn(part, EVERYWHERE) ? headers : {};
  return { ...(Object.fromEntries(members) as OpenApi), ...own };
}

function inside(value: unknown, headers: OpenApi): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  // A document is objects, lists and scalars.
  return added(value as OpenApi, headers);
}

/** Their descriptions. */
export function versionHeaderComponents(names: readonly VersionHeader[]): OpenApi {
  return Object.fromEntries(names.map((name) => [name, COMPONENTS[name]]));
}

const COMPONENTS: Readonly<Record<VersionHeader, OpenApi>> = {
  Deprecation: {
    description: "The version is deprecated from then on: `@` and seconds since 1970 (RFC 9745).",
    required: true,
    schema: { type: "string" },
  },
  Sunset: {
    description: "The version may be gone from then on (RFC 8594).",
    required: true,
    schema: { type: "string" },
  },
};
