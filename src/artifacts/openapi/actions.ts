import { objectSchema } from "../../kinds/property-schema.js";
import { upperFirst } from "../../naming/resource-name.js";
import { hasInput, operationLike, type ActionModel } from "../../model/action-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { answeredDto, dtoName, sentDto, type Dto } from "../dtos.js";
import type { OpenApi } from "./document.js";
import { errorResponse, KEY_TEXT, KEY_TYPES } from "./errors.js";
import { headerReferences, KEY_HEADERS } from "./headers.js";
import { ownIdentifier } from "./parameters.js";
import { preconditionParameters } from "./preconditions.js";
import { answer, writeConflictTypes } from "./responses.js";
import { accessText, securityErrors, securityOf, type Guarded } from "./security.js";
import { oneOf, stateProperty } from "./states.js";

/** The paths of the actions of a resource (OPS-11). */
export function actionPaths(resource: ResourceModel): OpenApi {
  const { name, actions } = resource;
  const paths = actions.map((action) => {
    const isOnEntity = action.on === "entity";
    const place = isOnEntity ? `/${name.plural}/{${name.idProperty}}` : `/${name.plural}`;
    const parameters = isOnEntity ? { parameters: [ownIdentifier(resource)] } : {};
    return [`${place}/${action.name}`, { ...parameters, post: operation(resource, action) }];
  });
  return Object.fromEntries(paths) as OpenApi;
}

/** What actions are sent, and what they answer of their own. */
export function actionSchemas({ actions }: ResourceModel): OpenApi {
  const schemas = actions.flatMap((action) => [
    ...(hasInput(action) ? [schemaOf(sentDto(action), action.input.properties, "whole")] : []),
    ...(action.answers === "object"
      ? [schemaOf(answeredDto(action), action.answer.properties, "answer")]
      : []),
  ]);
  return Object.fromEntries(schemas);
}

function schemaOf(
  { name, purpose }: Dto,
  properties: ActionModel["input"]["properties"],
  use: "whole" | "answer",
): readonly [string, OpenApi] {
  return [name, { type: "object", description: purpose, ...objectSchema(properties, use) }];
}

function operation(resource: ResourceModel, action: ActionModel): OpenApi {
  const { name } = resource;
  const { asking, guarded } = askingOf(resource, action);
  const target = action.on === "entity" ? `${name.article} ${name.words}` : name.plural;
  const does =
    action.description === "" ? `Carries out ${action.name} on ${target}.` : action.description;
  const texts = [does, accessText(asking, guarded), statesText(resource, action)];
  const description = texts.filter((text) => text !== "").join("\n\n");
  return {
    operationId: `${action.name}${action.on === "entity" ? name.typeName : upperFirst(name.plural)}`,
    summary: `${upperFirst(action.name)} ${target}`,
    tags: [name.plural],
    description,
    ...(resource.versionHeaders.length > 0 && { deprecated: true }),
    ...securityOf(asking, guarded),
    parameters: [
      { $ref: "#/components/parameters/IdempotencyKey" },
      ...(action.on === "entity"
        ? preconditionParameters({ isMatchRequired: false }, "update").parameters
        : []),
    ],
    ...(hasInput(action) && { requestBody: requestBody(action) }),
    responses: {
      ...success(resource, action),
      "400": { $ref: "#/components/responses/BadRequest" },
      ...securityErrors(asking, guarded),
      ...(action.on === "entity" && {
        "404": { $ref: `#/components/responses/${name.typeName}NotFound` },
        "412": { $ref: "#/components/responses/PreconditionFailed" },
      }),
      "409": conflict(resource, action),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

/** AUT-2: an action is asked about as a change, or as a creation on a collection, with grants of its own. */
function askingOf(
  resource: ResourceModel,
  action: ActionModel,
): { readonly asking: ResourceModel; readonly guarded: Guarded } {
  const operation = operationLike(action);
  const asking = { ...resource, access: { ...resource.access, [operation]: action.access } };
  return { asking, guarded: { operation, isAddressed: action.on === "entity" } };
}

function requestBody(action: ActionModel): OpenApi {
  const schema = { $ref: `#/components/schemas/${sentDto(action).name}` };
  return { required: true, content: { "application/json": { schema } } };
}

function success({ name }: ResourceModel, action: ActionModel): OpenApi {
  if (action.answers === "nothing") {
    const headers = headerReferences(["X-Request-Id"]);
    return { "204": { description: "It is done.", headers } };
  }
  if (action.answers === "object") {
    return { "200": answer(`What ${action.name} answers.`, answeredDto(action).name) };
  }
  return { "200": answer(`The ${name.words} as it is now.`, dtoName(name.typeName), ["ETag"]) };
}

/** STA-2, OPS-12, and unique values that its code may give. */
function conflict(resource: ResourceModel, { on, states }: ActionModel): OpenApi {
  const types = on === "entity" ? writeConflictTypes(resource) : [];
  const said = [
    ...(states === null ? [] : ["Its state does not allow it"]),
    ...(types.some((type) => type.endsWith("AlreadyExistsMessage"))
      ? ["Another one already has a value that must be unique"]
      : []),
    KEY_TEXT,
  ];
  return errorResponse({
    description: `${said.join(", or: ")}.`,
    types: [...types, ...KEY_TYPES],
    ownHeaders: KEY_HEADERS,
  });
}

function statesText(resource: ResourceModel, { states, leadsTo }: ActionModel): string {
  const property = stateProperty(resource) ?? "its state";
  const allowed =
    states === null ? [] : [`Allowed only while \`${property}\` is ${oneOf(states)}.`];
  const led = leadsTo === null ? [] : [`Afterwards it is ${oneOf([leadsTo])}.`];
  return [...allowed, ...led].join(" ");
}
