import { ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { key, type TsCode } from "../naming/encoders.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { bodiesOf, type ActionModel } from "../model/action-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import type { EntityModel } from "../model/entity-model.js";
import { innerType } from "../model/leaves.js";
import { upperFirst } from "../naming/resource-name.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { importCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { enumsOf, enumsWithin, queriedLeaves } from "./nested.js";
import { namesView, type NamesView } from "./resource-names.js";
import { runtime } from "./runtime-modules.js";

/** What `entity/input.ts.hbs` sees. */
export interface EntityInputView extends HeaderView, NamesView {
  readonly imports: TsCode;
  readonly objects: readonly ObjectInputView[];
  readonly fields: readonly FieldView[];
  /** The type of what own code can do with them. */
  readonly service: TsCode;
  readonly isQueried: boolean;
  readonly isOpen: boolean;
  readonly where: readonly { readonly name: TsCode; readonly type: TsCode }[];
}

interface ObjectInputView {
  /** `box` of a badge, or what cancel is sent. */
  readonly purpose: DocComment;
  readonly typeName: TsCode;
  readonly fields: readonly FieldView[];
}

interface FieldView {
  readonly documented: boolean;
  readonly doc: DocComment;
  readonly name: TsCode;
  readonly type: TsCode;
}

/** What own code gives of an entity, and what it can ask lists for. */
export function entityInputView(entity: EntityModel): EntityInputView {
  const { name, properties } = entity;
  const names = namesView(name);
  const leaves = [...queriedLeaves(entity), ...queriedCommonLeaves(entity)];
  const given = entity.actions.flatMap(givenBodies);
  return {
    ...entityHeader(entity),
    ...names,
    ...importsView(entity, leaves),
    objects: [
      ...objectsIn(properties, `${name.article} ${name.words}`),
      ...given.flatMap(({ told, body: { typeName, properties: members } }) => [
        ...objectsIn(members, told),
        { told: upperFirst(told), typeName, members },
      ]),
    ].map(({ told, typeName, members }) => ({
      purpose: doc(`${told}, as the service's own code gives it.`),
      typeName: givenName(typeName),
      fields: members.map(fieldView),
    })),
    fields: properties.map(fieldView),
    service: serviceType(word(name.typeName)),
    isQueried: leaves.length > 0,
    isOpen: leaves.length === 0,
    where: leaves.map(({ path, type }) => ({
      name: key(path),
      type: ts`Wanted<${leafType(type)}>`,
    })),
  };
}

function importsView(entity: EntityModel, leaves: readonly PropertyModel[]) {
  const { typeName } = entity.name;
  const enums = [...enumsWithin(entity), ...enumsOf(leaves)].map(
    ({ type }) => `type ${type.typeName}`,
  );
  const sent = entity.actions.flatMap(bodiesOf).flatMap(enumsWithin);
  return {
    imports: importCode([
      {
        from: besideModule(entity, "actions"),
        names: [...new Set(sent.map(({ type }) => `type ${type.typeName}`))],
      },
      { from: runtime("entity/entity-service"), names: ["type EntityService"] },
      { from: runtime("entity/service-query"), names: leaves.length > 0 ? ["type Wanted"] : [] },
      {
        from: besideModule(entity, "entity"),
        names: [...new Set(enums), `type ${typeName}`, `type ${typeName}Properties`],
      },
    ]),
  };
}

/** What own code sends to an action, and what it answers. */
function givenBodies(action: ActionModel): { readonly told: string; readonly body: ObjectType }[] {
  const { name, input } = action;
  return bodiesOf(action).map((body) => ({
    told: `what ${name} ${body === input ? "is sent" : "answers"}`,
    body,
  }));
}

/** `export type OrderService = EntityService<Order, OrderProperties, OrderInput, OrderWhere>;` */
function serviceType(type: TsCode): TsCode {
  const head = ts`export type ${type}Service = `;
  const given = [type, ts`${type}Properties`, ts`${type}Input`, ts`${type}Where`];
  const around = { before: head, after: ";" };
  return ts`${head}${printed(genericDoc(ts`EntityService`, given), around)};`;
}

/** A list is asked for one of its items. */
function leafType(type: PropertyType): TsCode {
  const inner = innerType(type);
  return kindOf(inner).tsType(inner);
}

/** What can be left out is null, `[]` or its default then. */
function fieldView(property: PropertyModel): FieldView {
  const { name, description, type, nullable, default: preset } = property;
  const isOptional = nullable || preset !== null || (type.kind === "array" && type.minItems === 0);
  const comment = doc(description, 2);
  const given = inputType(type);
  return {
    documented: comment !== "",
    doc: comment,
    name: ts`readonly ${word(name)}${isOptional ? ts`?` : ts``}`,
    type: nullable ? ts`${given} | null` : given,
  };
}

function inputType(type: PropertyType): TsCode {
  if (type.kind === "array") return ts`readonly ${inputType(type.items)}[]`;
  if (type.kind === "object" || type.kind === "reference") return givenName(type.typeName);
  return kindOf(type).tsType(type);
}

interface NamedObject {
  /** `box` of a badge */
  readonly told: string;
  readonly typeName: string;
  readonly members: readonly PropertyModel[];
}

/** Every object in an input, inner ones first. A reference is given by its identifier. */
function objectsIn(properties: readonly PropertyModel[], holder: string): readonly NamedObject[] {
  return properties.flatMap(({ path, type }): readonly NamedObject[] => {
    const inner = innerType(type);
    const told = `\`${path}\` of ${holder}`;
    if (inner.kind === "reference") {
      return [{ told, typeName: inner.typeName, members: [inner.identifier] }];
    }
    if (inner.kind !== "object") return [];
    const { typeName, properties: members } = inner;
    return [...objectsIn(members, holder), { told, typeName, members }];
  });
}

/** An enum of the entity may end in any word, and begins with the name of the entity. */
export function givenName(typeName: string): TsCode {
  return ts`Given${word(typeName)}`;
}
