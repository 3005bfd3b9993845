import { DECIMAL_DIGITS } from "#runtime/base/decimal";
import type { ResourceModel } from "../../model/resource-model.js";
import { seenBy } from "../../model/seen-by.js";
import type { VersionModel } from "../../model/service-model.js";
import { headersOf } from "../../model/version-status.js";
import { representationSentence } from "../condition-words.js";
import { innerText } from "../json-text.js";
import { operationsOf } from "../operations.js";
import type { Pieced, Stretch } from "../pieces.js";
import { errorResponses, errorSchema, errorTypeSchema } from "./errors.js";
import { headerComponents, originHeaders, type CallerErrors } from "./headers.js";
import type { ServiceSettings } from "../settings-code.js";
import { resourcePaths } from "./paths.js";
import {
  commonParameters,
  filterSchemas,
  filterText,
  pageSizeParameters,
  resourceParameters,
} from "./parameters.js";
import { preconditionComponents } from "./preconditions.js";
import { resourceResponses } from "./responses.js";
import { defaultSecurity, securitySchemes } from "./security.js";
import {
  commonEntitySchema,
  commonPageSchemas,
  resourceSchemas,
  subjectSchema,
} from "./schemas.js";
import { versionHeaderComponents, withHeaders } from "./version-headers.js";

/** A part of an OpenAPI document. */
export type OpenApi = { readonly [name: string]: unknown };

/** The OpenAPI 3.1 document of one version (VER-5), as JSON. */
export function openApiDocument(service: ServiceSettings, version: VersionModel): Pieced {
  const { resources } = seenBy(version);
  const authenticated = service.authentication.scheme === "bearer";
  const callers = { authenticated, limited: service.limits.requestsPerMinute !== null };
  const head = headOf(service, version);
  const schemas = commonSchemas(resources, callers);
  const versionHeaders = headersOf(version);
  const origins = originHeaders(service);
  const everywhere = [...Object.keys(origins), ...versionHeaders];
  const told = (part: OpenApi): OpenApi => withHeaders(part, everywhere);
  const rest = {
    headers: {
      ...headerComponents(resources, callers),
      ...origins,
      ...versionHeaderComponents(versionHeaders),
    },
    ...(authenticated && { securitySchemes: securitySchemes() }),
  };
  const pieces = (name: string, text: (resource: ResourceModel) => string): Stretch => ({
    pieces: resources.map((resource) => ({ resource, name, text: () => text(resource) })),
    separator: ",\n",
  });
  return [
    `{\n${innerText(head, 1)},\n  "tags": [\n`,
    pieces("tag", tagPiece),
    '\n  ],\n  "paths": ',
    {
      ...pieces("paths", (resource) => innerText(told(resourcePaths(resource)), 2)),
      before: "{\n",
      after: "\n  }",
      otherwise: "{}",
    },
    ',\n  "components": {\n    "schemas": {\n',
    { ...pieces("schemas", (resource) => innerText(resourceSchemas(resource), 3)), after: ",\n" },
    `${innerText(schemas, 3)}\n    },\n    "responses": {\n`,
    innerText(told(errorResponses(resources, callers)), 3),
    {
      ...pieces("responses", (resource) => innerText(told(resourceResponses(resource)), 3)),
      before: ",\n",
    },
    '\n    },\n    "parameters": {\n',
    {
      ...pieces("parameters", (resource) => innerText(resourceParameters(resource), 3)),
      after: ",\n",
    },
    `${innerText(sharedParameters(resources), 3)}\n    },\n${innerText(rest, 2)}\n  }\n}\n`,
  ];
}

/** No entity's name has a dot, so that a resource may be called subjects. */
function commonSchemas(resources: readonly ResourceModel[], callers: CallerErrors): OpenApi {
  return {
    "Common.Entity": commonEntitySchema(),
    "Common.Subject": subjectSchema(),
    ...commonPageSchemas(resources),
    ...filterSchemas(resources),
    "Common.Error": errorSchema(),
    "Common.ErrorType": errorTypeSchema(resources, callers),
  };
}

/** What stands above the paths. */
function headOf(service: ServiceSettings, version: VersionModel): OpenApi {
  const { title, license, contact, basePath, authentication } = service;
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: version.name,
      description: description(service, version),
      ...(contact !== null && { contact: { ...contact } }),
      ...(license !== null && { license: { name: license, identifier: license } }),
    },
    servers: [{ url: `${basePath}/${version.name}` }],
    security: defaultSecurity(authentication.scheme === "bearer"),
  };
}

function sharedParameters(resources: readonly ResourceModel[]): OpenApi {
  return {
    ...commonParameters(
      resources.some((one) => operationsOf(one).creates || one.actions.length > 0),
    ),
    ...pageSizeParameters(resources),
    ...preconditionComponents(resources),
  };
}

/** A member a line: prettier would put a list of a single short tag on one line, and a piece does not know of others. */
function tagPiece(resource: ResourceModel): string {
  const tag = { name: resource.name.plural, description: tagText(resource) };
  return JSON.stringify(tag, null, 2).replaceAll(/^/gm, "    ");
}

function tagText(resource: ResourceModel): string {
  const said = [resource.description, representationSentence(resource)];
  return (
    said.filter((text) => text !== "").join("\n\n") || `Operations on ${resource.name.plural}.`
  );
}

/** What holds for every operation, in words. */
function description({ description, limits }: ServiceSettings, version: VersionModel): string {
  const common = [
    "Bodies are JSON. An unknown value is null, an empty list is [], and a blank string is null. " +
      "No string contains the character NUL or half of a surrogate pair.",
    "Times are UTC, `yyyy-MM-ddTHH:mm:ss.SSSZ`; decimals are text of at most " +
      `${DECIMAL_DIGITS} digits, padded to their scale in responses.`,
    filterText(version.resources),
    "HEAD responds as GET does, without a body; OPTIONS responds 204 with `Allow`; a method that is not " +
      "offered is 405. The service writes identifiers, dates and subjects of an entity; these and all other " +
      "`readOnly` properties are ignored in a body.",
    `A body is at most ${limits.bodyBytes} bytes, a URL ${limits.urlBytes}, headers ` +
      `${limits.headerBytes}; a request takes at most ${limits.requestSeconds} seconds. If ` +
      `\`pageSize\` exceeds the default and the page would exceed ${limits.pageBytes} bytes, the request is refused: ask for a smaller \`pageSize\`. If a page would embed too much of other resources, you get a smaller page ` +
      "that begins with the same entity: continue from its `pageNumber` and `pageSize`.",
  ];
  const parts = [description, deprecationText(version), ...common];
  return parts.filter((text) => text !== "").join("\n\n");
}

/** VER-4 */
function deprecationText({ name, status, deprecated, sunset }: VersionModel): string {
  if (status !== "deprecated" || deprecated === null) return "";
  const headers = sunset === null ? "`Deprecation`" : "`Deprecation` and `Sunset`";
  const end = sunset === null ? "" : `, and may be gone from ${sunset}`;
  return `${name} is deprecated from ${deprecated}${end}: every response says so in ${headers}.`;
}
