import { isActedOn } from "../../model/action-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { operationsOf } from "../operations.js";
import type { OpenApi } from "./document.js";

/** The operations on one entity. */
export type EntityVerb = "read" | "replace" | "update" | "delete";

/** A refusal of what `If-Match` says, or does not say (OPS-10). */
interface PreconditionError {
  readonly name: string;
  readonly description: string;
  readonly types: readonly string[];
}

const FAILED: PreconditionError = {
  name: "PreconditionFailed",
  description: "The entity has changed since the ETag in `If-Match` was read.",
  types: ["PreconditionFailedMessage"],
};
const REQUIRED: PreconditionError = {
  name: "PreconditionRequired",
  description: "`If-Match` is missing.",
  types: ["PreconditionRequiredMessage"],
};

/** The headers by which a client says what it has seen of the entity (OPS-10). */
export function preconditionParameters(
  resource: Pick<ResourceModel, "isMatchRequired">,
  verb: EntityVerb,
): { readonly parameters: readonly OpenApi[] } {
  const isRequired = verb !== "read" && resource.isMatchRequired;
  const names = [isRequired ? "RequiredIfMatch" : "IfMatch", "IfNoneMatch"];
  return { parameters: names.map((name) => reference("parameters", name)) };
}

/** What comes of them. */
export function preconditionAnswers({ isMatchRequired }: ResourceModel, verb: EntityVerb): OpenApi {
  return {
    ...(verb === "read" && { "304": reference("responses", "NotModified") }),
    "412": reference("responses", FAILED.name),
    ...(verb !== "read" && isMatchRequired && { "428": reference("responses", REQUIRED.name) }),
  };
}

/** The refusals that resources can answer. */
export function preconditionErrors(
  resources: readonly ResourceModel[],
): readonly PreconditionError[] {
  const changing = resources.filter(isChanging);
  return [
    ...(changing.length > 0 || isReading(resources) ? [FAILED] : []),
    ...(changing.some(({ isMatchRequired }) => isMatchRequired) ? [REQUIRED] : []),
  ];
}

/** Says whether an entity of any resource is read: then it may not have changed. */
export function isReading(resources: readonly ResourceModel[]): boolean {
  return resources.some((resource) => operationsOf(resource).reads);
}

/** Says whether any answer shows an entity, and so has a tag. */
export function isTagging(resources: readonly ResourceModel[]): boolean {
  return resources.some(
    (resource) =>
      operationsOf(resource).reads || operationsOf(resource).writes || isActedOn(resource),
  );
}

/** The parameters that operations on one entity refer to. */
export function preconditionComponents(resources: readonly ResourceModel[]): OpenApi {
  const changing = resources.filter(isChanging);
  const ifMatch = {
    name: "If-Match",
    in: "header",
    description: "The `ETag` that was read: 412 if the entity has changed since.",
    schema: { type: "string" },
  };
  return {
    ...((isReading(resources) || changing.length > 0) && {
      IfNoneMatch: {
        name: "If-None-Match",
        in: "header",
        description:
          "The `ETag` that the client has: while it is current, a read returns 304 and a change 412.",
        schema: { type: "string" },
      },
    }),
    ...((isReading(resources) ||
      changing.some((one) => !one.isMatchRequired || isActedOn(one))) && { IfMatch: ifMatch }),
    ...(changing.some(({ isMatchRequired }) => isMatchRequired) && {
      RequiredIfMatch: { ...ifMatch, required: true },
    }),
  };
}

function isChanging(resource: ResourceModel): boolean {
  const { replaces, updates, deletes } = operationsOf(resource);
  return replaces || updates || deletes || isActedOn(resource);
}

function reference(kind: "parameters" | "responses", name: string): OpenApi {
  return { $ref: `#/components/${kind}/${name}` };
}
