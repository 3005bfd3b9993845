import { derivedName } from "../naming/derived-names.js";
import type { ResourceName } from "../naming/resource-name.js";
import type { ActionModel } from "../model/action-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { operationsOf } from "./operations.js";
import { parentPath } from "./resource-names.js";

/** What is sent or answered: its name, which is the same in the types and in the document, and what it is for. */
export interface Dto {
  readonly name: string;
  readonly purpose: string;
}

/** How an operation that is sent a body is called in the name of that. */
export type BodyOperation = "create" | "replace" | "update";

const ENDINGS = { create: "Create", replace: "Replace", update: "Update" } as const;
const METHODS = { create: "POST", replace: "PUT", update: "PATCH" } as const;

/** The description of an entity, or of a resource; one without a description is one of its plural. */
export function purposeOf({
  name,
  description,
}: {
  readonly name: ResourceName;
  readonly description: string;
}): string {
  return description.trim() === "" ? `One of the ${name.plural}.` : description;
}

/** `OrderDto`: an entity as a version shows it. */
export function dtoName(typeName: string): string {
  return `${typeName}Dto`;
}

/** `OrderPageDto` (COL-1) */
export function pageDto({ name }: ResourceModel): Dto {
  return {
    name: dtoName(derivedName(name.typeName, "Page")),
    purpose: `A page of ${name.plural}.`,
  };
}

/** Those that a resource offers. */
export function bodyOperations(resource: ResourceModel): BodyOperation[] {
  const { creates, replaces, updates } = operationsOf(resource);
  return [
    ...(creates ? (["create"] as const) : []),
    ...(replaces ? (["replace"] as const) : []),
    ...(updates ? (["update"] as const) : []),
  ];
}

/** `OrderCreateDto` */
export function bodyDto(resource: ResourceModel, operation: BodyOperation): Dto {
  const { path, parent, name } = resource;
  const created = parent === null ? path : `${parentPath(parent)}/${name.plural}`;
  const at = operation === "create" ? created : `${path}/{${name.idProperty}}`;
  return {
    name: dtoName(derivedName(resource.name.typeName, ENDINGS[operation])),
    purpose: `The body of ${METHODS[operation]} ${at}.`,
  };
}

/** `OrderCancelInputDto` (OPS-11) */
export function sentDto({ input, path }: ActionModel): Dto {
  return { name: dtoName(input.typeName), purpose: `The body of POST ${path}.` };
}

/** `OrderQuoteAnswerDto` */
export function answeredDto({ answer, path }: ActionModel): Dto {
  return { name: dtoName(answer.typeName), purpose: `The answer of POST ${path}.` };
}
