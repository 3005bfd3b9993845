import type { TsCode } from "../naming/encoders.js";
import { isRestricted } from "../kinds/access-model.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import { bodiesOf, hasInput, operationLike, type ActionModel } from "../model/action-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { answersReferences } from "./action-code.js";
import { actionReferenceImports } from "./action-references.js";
import { dtoName } from "./dtos.js";
import { bodiesBy } from "./own-answers.js";
import { scopesOf } from "./access-view.js";
import { importCode, when, type Import } from "./layout.js";
import { besideModule, entityModule } from "./modules.js";
import { objectsOf } from "./nested.js";
import { readerUses } from "./reader-view.js";
import { isConstant, readerImports } from "./validator-view.js";
import { runtime } from "./runtime-modules.js";

/** What the file of a resource's actions imports. */
export function actionImports(resource: ResourceModel): TsCode {
  const { entity, actions } = resource;
  const bodies = actions.flatMap(bodiesOf);
  const withObjects = (body: ObjectType): ObjectType[] => [
    body,
    ...objectsOf(body.properties).map((one) => one.type),
  ];
  const typesBy = (owner: "entity" | "version"): string[] =>
    bodiesBy(resource, owner)
      .flatMap(withObjects)
      .map((type) => `type ${type.typeName}`);
  const uses = bodies
    .flatMap(withObjects)
    .flatMap(({ properties }) => readerUses(properties, "clients"));
  const { typeName } = entity.name;
  return importCode([
    ...readerImports(uses),
    ...runtimeImports(resource),
    ...actionReferenceImports(resource),
    {
      from: runtime("input/body-input"),
      names: when(bodies.length > 0, "BodyInput", ...uses.filter((used) => used === "object")),
    },
    { from: runtime("input/json"), names: when(bodies.length > 0, "type JsonObject") },
    { from: "../../context.js", names: ["type ServiceContext"] },
    {
      from: entityModule(entity, "actions"),
      names: [`type ${typeName}Actions`, ...typesBy("entity"), ...uses.filter(isConstant)],
    },
    {
      from: besideModule(resource, "dto"),
      names: [
        ...typesBy("version"),
        ...actions.flatMap(bodiesOf).map(({ typeName: body }) => `type ${dtoName(body)}`),
      ],
    },
    {
      from: entityModule(entity, "entity"),
      names: [`type ${typeName}`, `type ${typeName}Properties`],
    },
    ...ownImports(resource),
  ]);
}

function runtimeImports(resource: ResourceModel): Import[] {
  const { actions } = resource;
  return [
    { from: runtime("auth/access"), names: when(!isRestricted(resource), "OPEN") },
    { from: runtime("entity/acting-repository"), names: ["type ActingRepository"] },
    {
      from: runtime("entity/action-answer"),
      names: [
        ...when(isAnswering(resource, "object"), "actionAnswer"),
        ...when(actions.some(answersPlainly), "readAnswer"),
      ],
    },
    { from: runtime("entity/acting-service"), names: ["type ActionsOf"] },
    {
      from: runtime("entity/entity-actions"),
      names: [
        ...when(
          actions.some(({ on }) => on === "entity"),
          "type EntityAction",
        ),
        ...when(
          actions.some(({ on }) => on === "collection"),
          "type CollectionAction",
        ),
      ],
    },
    { from: runtime("http/action"), names: ["type ActionRules"] },
    {
      from: runtime("http/http"),
      names: [
        ...when(isAnswering(resource, "nothing"), "noContent"),
        ...when(isAnswering(resource, "entity"), "ok"),
        "type HttpCall",
        "type HttpReply",
      ],
    },
    {
      from: runtime("input/no-input"),
      names: when(
        actions.some((action) => !hasInput(action)),
        "noInput",
      ),
    },
  ];
}

function ownImports(resource: ResourceModel): Import[] {
  const { singular, typeName } = resource.name;
  return [
    ...scopesHere(resource).map(({ name }) => ({
      from: entityModule({ name }, "scope"),
      names: [`${name.singular}Scope`],
    })),
    {
      from: besideModule(resource, "access"),
      names: when(isRestricted(resource), `${singular}Access`),
    },
    {
      from: besideModule(resource, "serializer"),
      names: when(isAnswering(resource, "entity"), `write${typeName}`),
    },
  ];
}

function answersPlainly(action: ActionModel): boolean {
  return action.answers === "object" && !answersReferences(action);
}

function isAnswering({ actions }: ResourceModel, answers: ActionModel["answers"]): boolean {
  return actions.some((action) => action.answers === answers);
}

/** Whose code actions ask where the resource has no rules of its own, and theirs are others than those of its operations. */
export function scopesHere(resource: ResourceModel): ReturnType<typeof scopesOf> {
  const isAsking =
    !isRestricted(resource) && resource.actions.some((one) => hasOwnAccess(resource, one));
  return isAsking ? scopesOf(resource) : [];
}

/** AUT-2: whether an action has other grants than the operation that it would be else: a change, or a new entity. */
export function hasOwnAccess({ access }: ResourceModel, action: ActionModel): boolean {
  return String(access[operationLike(action)]) !== String(action.access);
}
