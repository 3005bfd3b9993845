import { pathText, ts, word } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { valuesConstant } from "../kinds/enum/enum-kind.js";
import type { EnumType } from "../kinds/enum/enum-type.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { isOlderSide } from "../model/own-pairs.js";
import { purposeOf } from "./dtos.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { enumsOf, shownObjectsOf, type Nested, type ShownObject } from "./nested.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `entity/entity.ts.hbs` sees. */
export interface EntityView extends HeaderView, NamesView, TypesView {
  readonly doc: DocComment;
  readonly fields: readonly FieldView[];
}

/** Types that stand before those that are made of them. */
export interface TypesView {
  readonly enums: readonly EnumView[];
  readonly objects: readonly ObjectTypeView[];
}

/** The type of an object, or of a reference. */
export interface ObjectTypeView {
  readonly doc: DocComment;
  readonly typeName: TsCode;
  /** ` extends ReferenceTo<"personId">`, or nothing. */
  readonly heritage: TsCode;
  readonly fields: readonly FieldView[];
}

/** A property of a type. */
export interface FieldView {
  readonly documented: boolean;
  readonly doc: DocComment;
  readonly name: TsCode;
  readonly type: TsCode;
}

interface EnumView {
  readonly path: TsCode;
  readonly typeName: TsCode;
  readonly constant: TsCode;
  readonly values: TsCode;
}

/** The types of an entity: its properties, its nested objects and its enums. */
export function entityView(entity: EntityModel): EntityView {
  const { name, properties } = entity;
  const declared = declaredBy(properties);
  return {
    ...entityHeader(entity),
    ...namesView(name),
    ...typesView(declared, `${name.article} ${name.words}.`),
    doc: doc(purposeOf(entity)),
    fields: properties.map(fieldView),
  };
}

/** What has a type of its own in a file. */
export interface Declared {
  readonly enums: readonly Nested<EnumType>[];
  /** Each after those that it holds. */
  readonly objects: readonly Nested<ShownObject>[];
}

/** All that properties hold. */
export function declaredBy(properties: readonly PropertyModel[]): Declared {
  return { enums: enumsOf(properties), objects: shownObjectsOf(properties) };
}

/** The types; `holder` is what they belong to, in words. */
export function typesView({ enums, objects }: Declared, holder: string): TypesView {
  return {
    enums: enums.map(({ path, type }) => {
      const constant = valuesConstant(type.typeName);
      const around = { before: `export const ${constant} = `, after: " as const;" };
      const values = arrayCode(type.values.map(literal), around);
      return { path: pathText(path), typeName: word(type.typeName), constant, values };
    }),
    objects: objects.map(({ path, description, type }) =>
      objectTypeView(type, description.trim() === "" ? `\`${path}\` of ${holder}` : description),
    ),
  };
}

/** The type of an object, with what it is for. */
export function objectTypeView(
  { typeName, properties, identifier = null }: Omit<ShownObject, "localName">,
  purpose: string,
): ObjectTypeView {
  return {
    doc: doc(purpose),
    typeName: word(typeName),
    heritage: identifier === null ? ts`` : ts` extends @ReferenceTo<${literal(identifier)}>`,
    fields: properties.map(fieldView),
  };
}

/** A property of a type, as its members are printed. */
export function fieldView(property: PropertyModel): FieldView {
  const { name, description, type, nullable } = property;
  const shown = kindOf(type).tsType(type);
  const comment = doc(description, 2);
  return {
    documented: comment !== "",
    doc: comment,
    // No one writes it: it follows from what the newest version shows.
    name: isOlderSide(property) ? ts`readonly ${word(name)}` : word(name),
    type: nullable ? ts`${shown} | null` : shown,
  };
}
