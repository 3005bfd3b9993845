import { isActedOn } from "../../model/action-model.js";
import { isFilledIn } from "../../model/own-pairs.js";
import type { ResourceModel } from "../../model/resource-model.js";
import type { StatesModel } from "../../model/states-model.js";
import type { OpenApi } from "./document.js";
import { errorResponse, KEY_TEXT, KEY_TYPES } from "./errors.js";
import { headerReferences, KEY_HEADERS } from "./headers.js";
import { canBeHeld } from "../deletion-sql.js";
import { dtoName, pageDto } from "../dtos.js";
import { operationsOf } from "../operations.js";

/** The answers that show the entity or a page of them and the refusals that name it. */
export function resourceResponses(resource: ResourceModel): OpenApi {
  const { typeName, words } = resource.name;
  const { reads, replaces, updates } = operationsOf(resource);
  return {
    ...((reads || replaces || updates) && {
      [`${typeName}.Answer`]: answer(`The ${words}.`, dtoName(typeName), ["ETag"]),
    }),
    ...(operationsOf(resource).lists && {
      [`${typeName}.PageAnswer`]: answer(pageDto(resource).purpose, pageDto(resource).name, [
        "Link",
      ]),
    }),
    ...(isAddressed(resource) && {
      [`${typeName}NotFound`]: errorResponse({
        description: `There is no such ${words}.`,
        types: [`${resource.entity.name.typeName}NotFoundMessage`],
      }),
    }),
    ...Object.fromEntries(
      conflicts(resource).map(({ name, ...error }) => [name, errorResponse(error)]),
    ),
  };
}

/** An answer with a body. */
export function answer(
  description: string,
  schema: string,
  headers: readonly string[] = [],
): OpenApi {
  return {
    description,
    headers: headerReferences(["X-Request-Id", "Vary", ...headers]),
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** Says whether an operation names one entity in its path, be it as a parent. */
export function isAddressed(resource: ResourceModel): boolean {
  if (!resource.isRepresentation && resource.entity.children.length > 0) return true;
  const { reads, replaces, updates, deletes } = operationsOf(resource);
  return reads || replaces || updates || deletes || isActedOn(resource);
}

/** A 409 of a resource (STA-2, unique values). */
interface Conflict {
  readonly name: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly ownHeaders?: OpenApi;
}

function conflicts(resource: ResourceModel): Conflict[] {
  const { typeName } = resource.name;
  const { creates, replaces, updates, deletes } = operationsOf(resource);
  const written = writeConflictTypes(resource);
  const undeletable = deleteConflictTypes(resource);
  return [
    ...(creates && written.length > 0
      ? [
          {
            name: `${typeName}CreateConflict`,
            types: [...written, ...KEY_TYPES],
            description: `${conflictText(resource)}, or: ${KEY_TEXT}.`,
            ownHeaders: KEY_HEADERS,
          },
        ]
      : []),
    ...((replaces || updates) && written.length > 0
      ? [
          {
            name: `${typeName}Conflict`,
            types: written,
            description: `${conflictText(resource)}.`,
          },
        ]
      : []),
    ...(deletes && undeletable.length > 0
      ? [
          {
            name: `${typeName}Undeletable`,
            types: undeletable,
            description: undeletableText(resource),
          },
        ]
      : []),
  ];
}

/** The types of error of a 409 that answers a body. */
export function writeConflictTypes(resource: ResourceModel): string[] {
  const { name, states } = resource.entity;
  return [
    ...(isUnique(resource) ? [`${name.typeName}AlreadyExistsMessage`] : []),
    ...(states === null ? [] : [`Invalid${name.typeName}StateMessage`]),
  ];
}

/** Whether values of an entity can be another's already: one of them, several together, or what another version shows of them. */
function isUnique({ properties, entity, version }: ResourceModel): boolean {
  const made = entity.properties.filter((property) => isFilledIn(property, version));
  return entity.uniqueTogether.length > 0 || [...properties, ...made].some(({ unique }) => unique);
}

/** The types of error of a 409 that answers a DELETE (STA-3, CHD-4). */
export function deleteConflictTypes({ entity }: ResourceModel): string[] {
  const { name, states } = entity;
  const isHeld = canBeHeld(entity);
  return [
    ...(isUndeletable(states) ? [`Invalid${name.typeName}StateMessage`] : []),
    ...(isHeld ? [`${name.typeName}InUseMessage`] : []),
  ];
}

/** STA-3: whether some state forbids a deletion. */
function isUndeletable(states: StatesModel | null): boolean {
  return states !== null && states.deletableIn.length < states.transitions.length;
}

function undeletableText(resource: ResourceModel): string {
  const said = [
    ...(isUndeletable(resource.entity.states) ? ["Its state does not allow it"] : []),
    ...(deleteConflictTypes(resource).some((type) => type.endsWith("InUseMessage"))
      ? ["Others need it"]
      : []),
  ];
  return `${said.join(", or: ")}.`;
}

function conflictText(resource: ResourceModel): string {
  const { name, entity } = resource;
  const said = [
    ...(isUnique(resource)
      ? [`There is ${name.article} ${name.words} with that value already`]
      : []),
    ...(entity.states === null ? [] : ["Its state does not allow it"]),
  ];
  return said.join(", or: ");
}
