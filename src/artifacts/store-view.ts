import { ts, word } from "../naming/code.js";
import {
  flat,
  callDoc,
  genericDoc,
  objectDoc,
  printed,
  returnedObjectDoc,
  type Doc,
} from "../naming/doc.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import { COMMON_FIELDS } from "../naming/reserved.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import type { EntityModel } from "../model/entity-model.js";
import { deletionView, type DeletionView } from "./deletion-sql.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";
import { queriedLeaves } from "./nested.js";
import {
  isJoined,
  joinedColumns,
  joinedReferences,
  joinLines,
  leafExpression,
} from "./reference-sql.js";
import { decodeParameters, decodersView, type DecodersView } from "./decoder-view.js";
import { ownerColumns } from "./owner-columns.js";
import { holdsObjects, jsonColumnsCode } from "./json-shape-code.js";
import { linkedViews, linkViews, type LinkedView, type LinkView } from "./link-sql.js";
import { mirrorViews, type MirrorView } from "./mirror-view.js";
import { namesView, type NamesView } from "./resource-names.js";
import type { SqlDialect } from "../storage/sql-dialect.js";
import { entityType, propertiesType, tableOf } from "./modules.js";

/** What `entity/store.ts.hbs` sees. */
export interface StoreView extends HeaderView, NamesView, DeletionView, DecodersView {
  /** `EntityTable<Ticket, TicketProperties>` */
  readonly tableType: TsCode;
  readonly entityType: TsCode;
  readonly tableLiteral: TsCode;
  readonly written: TsCode;
  readonly columns: readonly ColumnView[];
  readonly readsAsText: boolean;
  readonly asText: TsCode;
  /** What follows the table: a line each, or nothing. */
  readonly joins: TsCode;
  readonly joined: TsCode;
  readonly links: readonly LinkView[];
  readonly linked: readonly LinkedView[];
  /** The entity that a write makes. */
  readonly assembled: TsCode;
  /** The references that may lead to the entity itself. */
  readonly mirrors: readonly MirrorView[];
  /** `row`, and what is shown of others where that is not joined. */
  readonly decodeParameters: TsCode;
  readonly hasObjects: boolean;
  readonly json: TsCode;
  readonly leaves: TsCode;
  readonly hasCommonFilters: boolean;
  readonly commonFilters: TsCode;
  readonly isScopedByParent: boolean;
  readonly parent: TsCode;
  readonly encoded: TsCode;
}

interface ColumnView {
  readonly name: TsCode;
  readonly decoded: TsCode;
}

/** The table of an entity and its statements. */
export function storeView(entity: EntityModel): StoreView {
  const { name, properties } = entity;
  const variable = word(name.variable);
  const encoded = properties.map((property) => encode(property, variable));
  return {
    ...entityHeader(entity),
    ...namesView(name),
    tableType: tableType(name),
    entityType: entityType(name),
    tableLiteral: literal(name.table),
    ...selectView(entity),
    ...deletionView(entity),
    links: linkViews(entity),
    linked: linkedViews(entity),
    ...assembledView(entity),
    ...decodersView(entity),
    decodeParameters: decodeParameters(entity),
    hasObjects: entity.properties.some(holdsObjects),
    json: jsonColumnsCode(entity),
    leaves: objectCode(
      [...queriedLeaves(entity).map((leaf) => leafCode(leaf, entity)), ...ownerColumns(entity)],
      { indent: 2, expanded: true },
    ),
    ...commonFiltersView(entity),
    ...parentView(entity),
    encoded: arrayCode(encoded.map(flat), {
      indent: 2,
      before: `encode: (${variable}) => `,
      after: ",",
    }),
  };
}

function tableType(name: EntityModel["name"]): TsCode {
  const before = `export const ${name.singular}Table: `;
  return printed(genericDoc(ts`@EntityTable`, [entityType(name), propertiesType(name)]), {
    before,
    after: " = {",
  });
}

/** An entity was looked up before it was changed: what it embeds of itself is put right. */
function assembledView(entity: EntityModel) {
  const mirrors = mirrorViews(entity);
  const id = word(entity.name.idProperty);
  // Each by its name: a copy of all that an object has costs every write more, and every reader of what it makes.
  const members = [
    id,
    ...entity.properties.map(({ name }) => ts`${word(name)}: properties.${word(name)}`),
    ...COMMON_FIELDS.map((name) => ts`${word(name)}: common.${word(name)}`),
  ];
  const whole =
    mirrors.length > 0 ? callDoc(ts`mirrored`, [objectDoc(members)]) : returnedObjectDoc(members);
  const before = `assemble: (${id}, properties, common) => `;
  return { mirrors, assembled: printed(whole, { indent: 2, before, after: "," }) };
}

/** The columns, which of them are read as text, and what is read of other tables. */
function selectView(entity: EntityModel) {
  const { properties } = entity;
  const names = (of: readonly PropertyModel[], before: string): TsCode =>
    arrayCode(
      of.map(({ name }) => literal(name)),
      { indent: 2, before, after: "," },
    );
  const asText = properties.filter(({ type }) => isReadAsText(type));
  return {
    written: names(properties, "written: "),
    columns: properties.map(columnView),
    readsAsText: asText.length > 0,
    asText: names(asText, "asText: "),
    joins: joinLines(entity),
    joined: arrayCode(joinedColumns(entity), { indent: 2, before: "joined: ", after: "," }),
  };
}

/** Its column does not hold what an answer shows. */
function isReadAsText(type: PropertyType): boolean {
  return kindOf(type).selected("column", "column") !== "column";
}

/** `"tickets".` where other tables are joined. */
function qualifierOf(entity: EntityModel): string {
  return joinedReferences(entity).length > 0 ? `${sqlName(entity.name.table)}.` : "";
}

function columnView({ name, type, nullable }: PropertyModel): ColumnView {
  const key = word(name);
  const decoded = kindOf(type).decode(ts`row.${key}`, type, nullable, ts`json.${key}`);
  return {
    name: key,
    decoded: printed(decoded, { indent: 4, before: `${name}: `, after: "," }),
  };
}

function encode({ name, type, nullable }: PropertyModel, variable: TsCode): Doc {
  return kindOf(type).encode(ts`${variable}.${word(name)}`, type, nullable);
}

/** `priority: { expression: '"priority"' }` */
function leafCode(leaf: PropertyModel, entity: EntityModel): TsCode {
  const entries = [ts`expression: ${expressionCode(leaf, entity)}`];
  const bind = kindOf(leaf.type).bind(leaf.type);
  if (bind !== null) entries.push(ts`bind: ${flat(bind)}`);
  const filter = kindOf(leaf.type).filter(leaf.type);
  if (filter !== null) entries.push(ts`filter: ${flat(filter)}`);
  if (leaf.type.kind === "array") entries.push(ts`contains: true`);
  if (isJoined(entity, leaf)) entries.push(ts`joined: true`);
  const name = key(leaf.path);
  return ts`${name}: ${objectCode(entries, { indent: 4, before: `${name}: `, after: "," })}`;
}

/** How own code looks for the common fields that a resource opens (QRY-1). */
function commonFiltersView(
  entity: EntityModel,
): Pick<StoreView, "hasCommonFilters" | "commonFilters"> {
  const members = queriedCommonLeaves(entity).flatMap(({ path, type }) => {
    const filter = kindOf(type).filter(type);
    return filter === null ? [] : [ts`${key(path)}: ${flat(filter)}`];
  });
  return {
    hasCommonFilters: members.length > 0,
    commonFilters: objectCode(members, { indent: 2, expanded: true }),
  };
}

/** One text for every database; a leaf inside a JSON column has one for each. */
function expressionCode(leaf: PropertyModel, entity: EntityModel): TsCode {
  const sqlite = listedExpression(leaf, entity, "sqlite");
  const postgres = listedExpression(leaf, entity, "postgres");
  if (sqlite === postgres) return literal(sqlite);
  return objectCode([ts`sqlite: ${literal(sqlite)}`, ts`postgres: ${literal(postgres)}`], {
    indent: 6,
    expanded: true,
  });
}

/** ORDER BY would take a name for what the select shows under it: the text of a decimal, not its number. */
function listedExpression(leaf: PropertyModel, entity: EntityModel, dialect: SqlDialect): string {
  const qualifier = qualifierOf(entity);
  const expression = leafExpression(leaf, entity, { dialect, qualifier });
  if (isJoined(entity, leaf) || qualifier !== "") return expression;
  const isColumn = expression === sqlName(leaf.path);
  return isColumn && isReadAsText(leaf.type)
    ? `${sqlName(entity.name.table)}.${expression}`
    : expression;
}

/** What it belongs to, where its resources ask something of that (AUT-2). */
function parentView({ name, parent, isScopedByParent }: EntityModel) {
  if (parent === null || !isScopedByParent) return { isScopedByParent: false, parent: ts`` };
  const reference = `${sqlName(name.table)}.${sqlName(parent.property)}`;
  const entries = [ts`reference: ${literal(reference)}`, ts`table: ${tableOf(parent.name)}`];
  const around = { indent: 2, before: "parent: ", after: "," };
  return { isScopedByParent, parent: objectCode(entries, around) };
}
