import type { ResourceModel } from "../../model/service-model.js";
import type { OpenApi } from "./document.js";
import { errorResponse } from "./errors.js";
import { offers } from "../offers.js";

/** The refusals that name the entity. */
export function resourceResponses(resource: ResourceModel): OpenApi {
  const { typeName, words, article } = resource.name;
  const { reads, writes, deletes } = offers(resource);
  return {
    ...((reads || writes || deletes) && {
      [`${typeName}NotFound`]: errorResponse({
        description: `There is no such ${words}.`,
        types: [`${typeName}NotFoundMessage`],
      }),
    }),
    ...(isUnique(resource) && {
      [`${typeName}AlreadyExists`]: errorResponse({
        description: `There is ${article} ${words} with that value already.`,
        types: [`${typeName}AlreadyExistsMessage`],
      }),
    }),
  };
}

/** Says whether a write can collide with another entity. */
export function isUnique(resource: ResourceModel): boolean {
  return offers(resource).writes && resource.properties.some(({ unique }) => unique);
}
