import { pathText, ts, word } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { valuesConstant } from "../kinds/enum/enum-kind.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { enumsOf, shownObjectsOf, type Nested, type ShownObject } from "./nested.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `entity/entity.ts.hbs` sees. */
export interface EntityView extends HeaderView, NamesView, TypesView {}

/** The types of properties, and of what they hold. */
export interface TypesView {
  readonly doc: DocComment;
  readonly fields: readonly FieldView[];
  readonly enums: readonly EnumView[];
  readonly objects: readonly {
    readonly doc: DocComment;
    readonly typeName: TsCode;
    readonly fields: readonly FieldView[];
  }[];
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

/** The types of an entity: its properties, its nested objects, its enums. */
export function entityView(entity: EntityModel): EntityView {
  return {
    ...entityHeader(entity),
    ...namesView(entity.name),
    ...typesView(entity, shownObjectsOf(entity.properties)),
  };
}

/** Those of an entity, or of a resource; `declared` are the objects that have types of their own there. */
export function typesView(
  { name, properties, description }: Pick<EntityModel, "name" | "properties" | "description">,
  declared: readonly Nested<ShownObject>[],
): TypesView {
  return {
    doc: doc(description.trim() === "" ? `One of the ${name.plural}.` : description),
    fields: properties.map(fieldView),
    enums: enumsOf(properties).map(({ path, type }) => {
      const constant = valuesConstant(type.typeName);
      const around = { before: `export const ${constant} = `, after: " as const;" };
      const values = arrayCode(type.values.map(literal), around);
      return { path: pathText(path), typeName: word(type.typeName), constant, values };
    }),
    objects: declared.map(({ path, description, type }) => ({
      doc: doc(
        description.trim() === "" ? `\`${path}\` of ${name.article} ${name.words}.` : description,
      ),
      typeName: word(type.typeName),
      fields: type.properties.map(fieldView),
    })),
  };
}

/** A property of a type, as its members are printed. */
export function fieldView({ name, description, type, nullable }: PropertyModel): FieldView {
  const shown = kindOf(type).tsType(type);
  const comment = doc(description, 2);
  return {
    documented: comment !== "",
    doc: comment,
    name: word(name),
    type: nullable ? ts`${shown} | null` : shown,
  };
}
