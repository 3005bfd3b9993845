import { DECIMAL_DIGITS } from "../../model/defaults.js";
import type { ResourceModel, ServiceModel, VersionModel } from "../../model/service-model.js";
import { representationSentence } from "../condition-words.js";
import { errorResponses, errorTypeSchema, headerComponents } from "./errors.js";
import { resourcePaths } from "./paths.js";
import { commonParameters } from "./parameters.js";
import { resourceResponses } from "./responses.js";
import { defaultSecurity, securitySchemes } from "./security.js";
import { resourceSchemas, subjectSchema } from "./schemas.js";

/** A part of an OpenAPI document. */
export type OpenApi = { readonly [name: string]: unknown };

/** The OpenAPI 3.1 document of one version (VER-5), as an object. */
export function openApiDocument(service: ServiceModel, version: VersionModel): OpenApi {
  const { resources } = version;
  const authenticated = service.authentication.scheme === "bearer";
  const merged = (parts: readonly OpenApi[]): OpenApi => Object.assign({}, ...parts) as OpenApi;
  return {
    openapi: "3.1.0",
    info: {
      title: service.title,
      version: version.name,
      description: description(service),
    },
    servers: [{ url: `${service.basePath}/${version.name}` }],
    security: defaultSecurity(authenticated),
    tags: resources.map((resource) => ({
      name: resource.name.plural,
      description: tagText(resource),
    })),
    paths: merged(resources.map(resourcePaths)),
    components: {
      schemas: {
        ...merged(resources.map(resourceSchemas)),
        // No entity's name has a dot, so that a resource may be called subjects.
        "Common.Subject": subjectSchema(),
        "Common.ErrorType": errorTypeSchema(resources, authenticated),
      },
      responses: {
        ...errorResponses(authenticated),
        ...merged(resources.map(resourceResponses)),
      },
      parameters: commonParameters(),
      headers: headerComponents(authenticated),
      ...(authenticated && { securitySchemes: securitySchemes() }),
    },
  };
}

function tagText(resource: ResourceModel): string {
  const said = [resource.description, representationSentence(resource)];
  return (
    said.filter((text) => text !== "").join("\n\n") || `Operations on ${resource.name.plural}.`
  );
}

/** What holds for every operation, in words. */
function description({ description, limits }: ServiceModel): string {
  const common = [
    "Bodies are JSON. An unknown value is null, an empty list is []; text that is blank is null. " +
      "No text holds the character NUL or half of a surrogate pair.",
    "Times are UTC, `yyyy-MM-ddTHH:mm:ss.SSSZ`; decimals are text of at most " +
      `${DECIMAL_DIGITS} digits, filled up to their scale in answers.`,
    "HEAD answers as GET does, without a body; OPTIONS answers 204 with `Allow`; a method that is not " +
      "offered is 405. Identifiers, dates and subjects of an entity are written by the service and " +
      "ignored in a body.",
    `A body is at most ${limits.bodyBytes} bytes, a URL ${limits.urlBytes}, headers ` +
      `${limits.headerBytes}; a request takes at most ${limits.requestSeconds} seconds.`,
  ];
  return [description, ...common].filter((text) => text !== "").join("\n\n");
}
