import { valuesConstant } from "../kinds/enum/enum-kind.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { bodiesOf } from "../model/action-model.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { givenName } from "./input-view.js";
import { entityPath, resourcePath } from "./modules.js";
import { enumsOf, objectsOf, shownObjectsOf } from "./nested.js";
import { bodiesBy } from "./own-answers.js";
import { isShaped } from "./shaped.js";

/** The file of each type of the schema that a file uses. */
export interface SchemaOrigins {
  readonly declaring: (name: string) => string;
}

/** The types of the schema stand in the file of the entity; those of what its actions are sent and answer, in that of its actions. */
export function entityOrigins(entity: EntityModel): SchemaOrigins {
  const bodies = new Set(
    entity.actions
      .flatMap(bodiesOf)
      .flatMap(({ typeName, properties }) => [
        ...[typeName, givenName(typeName)],
        ...typesOf(properties, shownObjectsOf),
      ]),
  );
  return {
    declaring: (name) => {
      // A function of that kind reads an object in a body.
      if (name.startsWith("read")) return entityPath(entity, "reader");
      return entityPath(entity, bodies.has(name) ? "actions" : "entity");
    },
  };
}

/** In a file that speaks of what is stored: a version has types of its own for what it answers otherwise (VER-2). */
export function resourceOrigins(resource: ResourceModel): SchemaOrigins {
  const answers = bodiesBy(resource, "version").flatMap(({ typeName, properties }) => [
    typeName,
    ...shownObjectsOf(properties).map(({ type }) => type.typeName),
  ]);
  return originsBeside(resource, answers, entityOrigins(resource.entity));
}

/** In one that speaks of what is shown: a version has types of its own for all that it converts. */
export function shownOrigins(resource: ResourceModel): SchemaOrigins {
  const own = isShaped(resource) ? typesOf(resource.properties, objectsOf) : [];
  return originsBeside(resource, own, resourceOrigins(resource));
}

function originsBeside(
  resource: ResourceModel,
  own: readonly string[],
  { declaring }: SchemaOrigins,
): SchemaOrigins {
  const names = new Set(own);
  const dto = resourcePath(resource, "dto");
  return { declaring: (name) => (names.has(name) ? dto : declaring(name)) };
}

/** The types of what properties hold, and the values of enums. */
function typesOf(properties: readonly PropertyModel[], objects: typeof shownObjectsOf): string[] {
  return [
    ...enumsOf(properties).flatMap(({ type }) => [type.typeName, valuesConstant(type.typeName)]),
    ...objects(properties).map(({ type }) => type.typeName),
  ];
}
