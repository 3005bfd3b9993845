import type { AliasModel } from "../../model/alias-model.js";
import { pathsOf } from "../../model/references.js";
import type { PathModel, ResourceModel } from "../../model/resource-model.js";
import { upperFirst, type ResourceName } from "../../naming/resource-name.js";
import { conditionsWords } from "../condition-words.js";
import { bodyDto, dtoName } from "../dtos.js";
import { operationsOf } from "../operations.js";
import { actionPaths } from "./actions.js";
import type { OpenApi } from "./document.js";
import { isRefusedByKeyAlone } from "./errors.js";
import { listParameters, ownIdentifier, parentIdentifier } from "./parameters.js";
import { preconditionAnswers, preconditionParameters, type EntityVerb } from "./preconditions.js";
import { answer, deleteConflictTypes, writeConflictTypes } from "./responses.js";
import { accessText, securityErrors, securityOf, type Guarded } from "./security.js";
import { stateText } from "./states.js";

/** The paths of a resource and the operations that it offers there (OPS). */
export function resourcePaths(resource: ResourceModel): OpenApi {
  const { name } = resource;
  const offered = operationsOf(resource);
  const lists = offered.lists && { get: listOperation(resource) };
  const creates = offered.creates && { post: createOperation(resource) };
  const collection = { ...lists, ...(resource.parent === null && creates) };
  const entity = {
    ...(offered.reads && { get: entityOperation(resource, "read") }),
    ...(offered.replaces && { put: entityOperation(resource, "replace") }),
    ...(offered.updates && { patch: entityOperation(resource, "update") }),
    ...(offered.deletes && { delete: entityOperation(resource, "delete") }),
  };
  const aliases = resource.aliases.map((alias) => [
    `/${name.plural}/${alias.name}`,
    { get: aliasOperation(resource, alias) },
  ]);
  return {
    ...(Object.keys(collection).length > 0 && { [`/${name.plural}`]: collection }),
    ...(Object.fromEntries(aliases) as OpenApi),
    ...(Object.keys(entity).length > 0 && {
      [`/${name.plural}/{${name.idProperty}}`]: {
        parameters: [ownIdentifier(resource)],
        ...entity,
      },
    }),
    ...actionPaths(resource),
    ...Object.assign({}, ...pathsOf(resource).map((above) => childPaths(resource, above))),
  };
}

/** What stands under a parent, or under what a reference leads to: the list, its aliases, and what creates (CHD-1). */
function childPaths(resource: ResourceModel, { name: parent, property }: PathModel): OpenApi {
  const { lists, creates } = operationsOf(resource);
  const path = `/${parent.plural}/{${parent.idProperty}}/${resource.name.plural}`;
  const notFound = { "404": { $ref: `#/components/responses/${parent.typeName}NotFound` } };
  const under = (operation: OpenApi & { readonly responses: OpenApi }): OpenApi => ({
    ...operation,
    responses: { ...operation.responses, ...notFound },
  });
  const list = (operation: ReturnType<typeof listOperation>): OpenApi => {
    const operationId = operation.operationId.replace(/^list/, `list${parent.typeName}`);
    const summary = `${operation.summary} of ${parent.article} ${parent.words}`;
    return under({ ...operation, operationId, summary });
  };
  const created = createOperation(resource);
  const isParent = property === resource.parent?.property;
  const creation = isParent ? created : namedCreation(created, parent, property);
  const collection = {
    ...(lists && { get: list(listOperation(resource)) }),
    ...(creates && { post: under(creation) }),
  };
  const parameters = [parentIdentifier(parent)];
  const aliases = resource.aliases.map((alias) => [
    `${path}/${alias.name}`,
    { parameters, get: list(aliasOperation(resource, alias)) },
  ]);
  return {
    ...(Object.keys(collection).length > 0 && { [path]: { parameters, ...collection } }),
    ...(Object.fromEntries(aliases) as OpenApi),
  };
}

/** The path names one of the references of what it creates. */
function namedCreation(
  operation: ReturnType<typeof createOperation>,
  above: ResourceName,
  property: string,
) {
  return {
    ...operation,
    operationId: operation.operationId.replace(/^create/, `create${above.typeName}`),
    summary: `${operation.summary} of ${above.article} ${above.words}`,
    description: paragraphs([
      String(Reflect.get(operation, "description") ?? ""),
      `\`${property}\` is the ${above.words} in the path, and can be left out of the body.`,
    ]),
  };
}

const LIST: Guarded = { operation: "read", isAddressed: false };
const CREATE: Guarded = { operation: "create", isAddressed: false };

function listOperation(resource: ResourceModel) {
  const { typeName, plural } = resource.name;
  return {
    operationId: `list${upperFirst(plural)}`,
    summary: `List ${plural}`,
    tags: [plural],
    ...security(resource, LIST, listText(resource)),
    parameters: listParameters(resource),
    responses: {
      "200": { $ref: `#/components/responses/${typeName}.PageAnswer` },
      ...errors(securityErrors(resource, LIST)),
    },
  };
}

/** ALI-1: a list within the alias's own conditions. */
function aliasOperation(resource: ResourceModel, alias: AliasModel) {
  const { plural } = resource.name;
  const { name, description } = alias;
  const conditions = [...resource.conditions, ...alias.conditions];
  return {
    ...listOperation({ ...resource, conditions }),
    operationId: `list${upperFirst(plural)}${upperFirst(name)}`,
    summary: `List ${plural}: ${name}`,
    description: paragraphs([
      description,
      aliasText(alias),
      listText(resource),
      accessText(resource, LIST),
    ]),
  };
}

/** What it finds, and in which order. */
function aliasText({ conditions, sort }: AliasModel): string {
  const found = conditionsWords(conditions);
  const sorted = sort.map(({ path, descending }) => (descending ? `-${path}` : path)).join(",");
  return [
    ...(found === "" ? [] : [`Those whose ${found}.`]),
    ...(sorted === "" ? [] : [`Sorted by ${sorted} unless \`sort\` is given.`]),
  ].join(" ");
}

function createOperation(resource: ResourceModel) {
  const { typeName, plural, words, article } = resource.name;
  return {
    operationId: `create${typeName}`,
    summary: `Create ${article} ${words}`,
    tags: [plural],
    ...security(resource, CREATE, createText(resource)),
    parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }],
    requestBody: requestBody(bodyDto(resource, "create").name, ["application/json"]),
    responses: {
      "201": answer(`The new ${words}.`, dtoName(typeName), ["Location", "ETag"]),
      ...errors({ ...securityErrors(resource, CREATE), ...createConflict(resource) }),
    },
  };
}

/** The media types of a body (REP-8, OPS-5). */
const MEDIA_TYPES = {
  replace: ["application/json"],
  update: ["application/json", "application/merge-patch+json"],
} as const;

function entityOperation(resource: ResourceModel, verb: EntityVerb): OpenApi {
  const { typeName, plural, words, article } = resource.name;
  const writes = verb === "replace" || verb === "update";
  const operation = verb === "replace" ? "update" : verb;
  const guarded = { operation, isAddressed: true } as const;
  const notFound = { "404": { $ref: `#/components/responses/${typeName}NotFound` } };
  return {
    operationId: `${verb}${typeName}`,
    summary: `${upperFirst(verb)} ${article} ${words}`,
    tags: [plural],
    ...security(resource, guarded, entityText(resource, verb)),
    ...preconditionParameters(resource, verb),
    ...(writes && {
      requestBody: requestBody(bodyDto(resource, verb).name, MEDIA_TYPES[verb]),
    }),
    responses: {
      ...(verb === "delete"
        ? { "204": { $ref: "#/components/responses/Deleted" } }
        : { "200": { $ref: `#/components/responses/${typeName}.Answer` } }),
      ...errors({
        ...securityErrors(resource, guarded),
        ...notFound,
        ...preconditionAnswers(resource, verb),
        ...(writes && conflict(resource)),
        ...(verb === "delete" && undeletable(resource)),
      }),
    },
  };
}

/** QRY-5 */
function listText({ name, paging }: ResourceModel): string {
  return `Returns one page of ${name.plural} (${paging.defaultSize} by default), filtered and sorted by the query.`;
}

/** OPS-1, OPS-12 */
function createText({ name }: ResourceModel): string {
  return `Creates ${name.article} ${name.words} from the body and returns it. Repeating the request with the same \`Idempotency-Key\` returns the same response and creates nothing.`;
}

/** OPS-3 to OPS-6 */
function entityText({ name, entity }: ResourceModel, verb: EntityVerb): string {
  const { words } = name;
  const children = entity.children.length === 0 ? "" : ", and everything that belongs to it";
  const does: Readonly<Record<EntityVerb, string>> = {
    read: `Returns the ${words}.`,
    replace: `Replaces every property of the ${words} that clients can set. The body must name all of them; null clears one.`,
    update: `Changes the properties in the body and leaves the others unchanged (RFC 7396).`,
    delete: `Deletes the ${words}${children}.`,
  };
  return does[verb];
}

/** What it does; AUT-2: who may do it, for programs and for people; STA-3: and in which states. */
function security(resource: ResourceModel, guarded: Guarded, does: string): OpenApi {
  const states = guarded.isAddressed ? stateText(resource, guarded.operation) : "";
  return {
    description: paragraphs([does, accessText(resource, guarded), states]),
    ...(resource.versionHeaders.length > 0 && { deprecated: true }),
    ...securityOf(resource, guarded),
  };
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** OPS-12 */
function createConflict(resource: ResourceModel): OpenApi {
  const own = `${resource.name.typeName}CreateConflict`;
  const name = isRefusedByKeyAlone(resource) ? "IdempotencyKeyConflict" : own;
  return { "409": { $ref: `#/components/responses/${name}` } };
}

function conflict(resource: ResourceModel): OpenApi {
  if (writeConflictTypes(resource).length === 0) return {};
  return { "409": { $ref: `#/components/responses/${resource.name.typeName}Conflict` } };
}

function undeletable(resource: ResourceModel): OpenApi {
  if (deleteConflictTypes(resource).length === 0) return {};
  return { "409": { $ref: `#/components/responses/${resource.name.typeName}Undeletable` } };
}

function requestBody(schema: string, mediaTypes: readonly string[]): OpenApi {
  const content = { schema: { $ref: `#/components/schemas/${schema}` } };
  return {
    required: true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content])),
  };
}

/** The refusals of an operation; a JSON object lists whole-number keys in ascending order by itself. */
function errors(own: OpenApi): OpenApi {
  return {
    "400": { $ref: "#/components/responses/BadRequest" },
    ...own,
    default: { $ref: "#/components/responses/Error" },
  };
}
