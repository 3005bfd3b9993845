import { joined, templateText, ts, word } from "../naming/code.js";
import { literal, sqlName, type TsCode } from "../naming/encoders.js";
import type { Expression } from "../kinds/expression.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { decoderName } from "../kinds/reference/reference-code.js";
import type { ReferenceTarget, ReferenceType } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import { clausesText } from "./layout.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import { enumsOf } from "./nested.js";
import { sqlExpression, type SqlPlace } from "../storage/sql-dialect.js";

/** A reference that shows more of the other than its identifier, so that the other's table is joined. */
interface JoinedReference {
  readonly property: PropertyModel;
  readonly type: ReferenceType;
  readonly target: ReferenceTarget;
}

/** The references of an entity whose tables are joined. */
export function joinedReferences(entity: EntityModel): JoinedReference[] {
  return referencesOf(entity).flatMap(({ property, type }) => {
    const { target, embedded } = type;
    return target === null || embedded.length === 0 ? [] : [{ property, type, target }];
  });
}

/** The name of a joined table: no resource has one like it. */
function joinName({ property, target }: JoinedReference): string {
  return `${property.name}_${target.name.table}`;
}

/** `LEFT JOIN "users" AS "requester_users" ON …`, a line each, or two. */
export function joinLines(entity: EntityModel): TsCode {
  const lines = joinedReferences(entity).map((reference) => {
    const { property, target } = reference;
    const other = sqlName(joinName(reference));
    const own = `${sqlName(entity.name.table)}.${sqlName(property.name)}`;
    const on = `${other}.${sqlName(target.name.idProperty)} = ${own}`;
    const join = `LEFT JOIN ${sqlName(target.name.table)} AS ${other}`;
    return clausesText([join, `ON ${on}`], { indent: 4, after: "`," });
  });
  return templateText(lines.join("\n    "));
}

/** What the SELECT reads of the joined tables: `"requester_users"."firstName" AS "requester.firstName"`. */
export function joinedColumns(entity: EntityModel): { readonly selected: TsCode }[] {
  return joinedReferences(entity).flatMap((reference) =>
    reference.type.embedded.map((embedded) => {
      const column = `${sqlName(joinName(reference))}.${sqlName(embedded.name)}`;
      const shown = sqlName(embedded.path);
      return { selected: templateText(kindOf(embedded.type).selected(column, shown)) };
    }),
  );
}

/** A leaf of an entity, to filter and sort by: a column of its own table, or of a joined one. */
export function leafExpression(leaf: PropertyModel, entity: EntityModel, place: SqlPlace): string {
  const [name, member] = leaf.path.split(".");
  const found = referencesOf(entity).find(({ property }) => property.name === name);
  if (found === undefined || member === undefined) return sqlExpression(leaf, place);
  const { property, type } = found;
  const { target } = type;
  if (member === type.identifier.name || target === null) {
    return (place.qualifier ?? "") + sqlName(property.name);
  }
  return `${sqlName(joinName({ property, type, target }))}.${sqlName(member)}`;
}

/** Whether a leaf stands in a joined table. */
export function isJoined(entity: EntityModel, { path }: PropertyModel): boolean {
  return joinedReferences(entity).some(({ type }) =>
    type.embedded.some((embedded) => embedded.path === path),
  );
}

/** The function that makes a reference of a row. */
export interface DecoderView {
  readonly name: TsCode;
  readonly typeName: TsCode;
  readonly members: readonly { readonly name: TsCode; readonly value: TsCode }[];
}

/** One for each reference that is not a list. */
export function decoders(entity: EntityModel): DecoderView[] {
  return ownReferences(entity).map(({ property, type }) => ({
    name: decoderName(type),
    typeName: word(type.typeName),
    members: members(property, type).map(({ name, value }) => ({ name, value: value.code })),
  }));
}

/** The kernel functions that those use. */
export function decoderUses(entity: EntityModel): string[] {
  return ownReferences(entity).flatMap(({ property, type }) =>
    members(property, type).flatMap(({ value }) => value.uses),
  );
}

/** The types that those name: of the references, and of the enums that are embedded. */
export function decoderTypes(entity: EntityModel): string[] {
  return ownReferences(entity).flatMap(({ type }) => [
    type.typeName,
    ...(type.target === null ? [] : enumsOf(type.embedded).map((found) => found.type.typeName)),
  ]);
}

function ownReferences(entity: EntityModel): ReferenceProperty[] {
  return referencesOf(entity).filter(({ isList }) => !isList);
}

function members(
  property: PropertyModel,
  { identifier, embedded, target }: ReferenceType,
): { readonly name: TsCode; readonly value: Expression }[] {
  const id = kindOf(identifier.type).decode(ts`row.${word(property.name)}`, identifier.type, false);
  return [
    { name: word(identifier.name), value: id },
    ...embedded.map(({ name, path, type, nullable }) => ({
      name: word(name),
      value:
        target === null
          ? { code: ts`null`, uses: [] }
          : kindOf(type).decode(ts`row[${literal(path)}]`, type, nullable),
    })),
  ];
}

/** A reference that may lead to the entity that holds it. */
export interface MirrorView {
  readonly name: TsCode;
  /** The reference as it is then, or else as it was found. */
  readonly value: TsCode;
}

/** Those that embed something, so that a change of the entity changes what is shown of it there. */
export function mirrorViews(entity: EntityModel): MirrorView[] {
  const { table, variable, idProperty } = entity.name;
  const holder = word(variable);
  return joinedReferences(entity)
    .filter(({ target }) => target.name.table === table)
    .map(({ property, type }) => {
      const own = ts`${holder}.${word(property.name)}`;
      const id = ts`${holder}.${word(idProperty)}`;
      const members = [type.identifier, ...type.embedded].map(
        ({ name }) => ts`${word(name)}: ${holder}.${word(name)}`,
      );
      const itself = ts`{ ${joined(members, ", ")} }`;
      const value = ts`${own}?.${word(idProperty)} === ${id} ? ${itself} : ${own}`;
      return { name: word(property.name), value };
    });
}

/** A list of references has a table of its own beside the column. */
export function linkName(table: string, property: string): string {
  return `${table}_${property}`;
}

/** The lists of references whose members the database keeps. */
export function linkedReferences(entity: EntityModel): JoinedReference[] {
  return referencesOf(entity).flatMap(({ property, type, isList }) => {
    const { target } = type;
    return isList && target !== null ? [{ property, type, target }] : [];
  });
}

/** One link table, as `entity/store.ts.hbs` sees it. */
export interface LinkView {
  readonly insert: TsCode;
  readonly remove: TsCode;
  /** `(ticket) => ticket.watchers.map(({ userId }) => userId)` */
  readonly ids: TsCode;
}

/** The statements of the link tables. */
export function linkViews(entity: EntityModel): LinkView[] {
  return linkedReferences(entity).map(({ property, type }) => {
    const table = sqlName(linkName(entity.name.table, property.name));
    const holder = word(entity.name.variable);
    const id = word(type.identifier.name);
    return {
      insert: templateText(`INSERT INTO ${table} (owner_id, other_id) VALUES (?, ?)`),
      remove: templateText(`DELETE FROM ${table} WHERE owner_id = ?`),
      ids: ts`(${holder}) => ${holder}.${word(property.name)}.map(({ ${id} }) => ${id})`,
    };
  });
}
