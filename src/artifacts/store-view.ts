import { ts, word } from "../naming/code.js";
import { callDoc, genericDoc, objectDoc, printed, returnedObjectDoc } from "../naming/doc.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import { COMMON_FIELDS } from "../naming/reserved.js";
import type { Expression } from "../kinds/expression.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import type { EntityModel } from "../model/entity-model.js";
import { innerType } from "../model/leaves.js";
import { deletionView, type DeletionView } from "./deletion-sql.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { runtimeModule, runtime } from "./runtime-modules.js";
import { arrayCode, importCode, objectCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { enumsOf, objectsOf, queriedLeaves } from "./nested.js";
import {
  isJoined,
  joinedColumns,
  joinedReferences,
  joinLines,
  leafExpression,
} from "./reference-sql.js";
import {
  decodeParameters,
  decodersView,
  decoderTypes,
  decoderUses,
  decodesRows,
  readsLinked,
  type DecodersView,
} from "./decoder-view.js";
import { ownerColumns } from "./owner-columns.js";
import { holdsObjects, jsonColumnsCode } from "./json-shape-code.js";
import { linkedViews, linkViews, type LinkedView, type LinkView } from "./link-sql.js";
import { mirrorsInside, mirrorViews, type MirrorView } from "./mirror-view.js";
import { parentImports, parentView } from "./parent-table.js";
import { namesView, type NamesView } from "./resource-names.js";
import type { SqlDialect } from "../storage/sql-dialect.js";

/** What `entity/store.ts.hbs` sees. */
export interface StoreView extends HeaderView, NamesView, DeletionView, DecodersView {
  readonly imports: TsCode;
  /** `EntityTable<Ticket, TicketProperties>` */
  readonly tableType: TsCode;
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
    imports: imports(entity, encoded),
    tableType: tableType(name),
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
    encoded: arrayCode(
      encoded.map(({ code }) => code),
      { indent: 2, before: `encode: (${variable}) => `, after: "," },
    ),
  };
}

function tableType({ singular, typeName }: EntityModel["name"]): TsCode {
  const type = word(typeName);
  const before = `export const ${singular}Table: `;
  return printed(genericDoc(ts`EntityTable`, [type, ts`${type}Properties`]), {
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
  const { code, doc } = kindOf(type).decode(ts`row.${key}`, type, nullable, ts`json.${key}`);
  return {
    name: key,
    decoded: printed(doc ?? code, { indent: 4, before: `${name}: `, after: "," }),
  };
}

function encode({ name, type, nullable }: PropertyModel, variable: TsCode): Expression {
  return kindOf(type).encode(ts`${variable}.${word(name)}`, type, nullable);
}

/** `priority: { expression: '"priority"' }` */
function leafCode(leaf: PropertyModel, entity: EntityModel): TsCode {
  const entries = [ts`expression: ${expressionCode(leaf, entity)}`];
  const bind = kindOf(leaf.type).bind(leaf.type);
  if (bind !== null) entries.push(ts`bind: ${bind.code}`);
  const filter = kindOf(leaf.type).filter(leaf.type);
  if (filter !== null) entries.push(ts`filter: ${filter.code}`);
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
    return filter === null ? [] : [ts`${key(path)}: ${filter.code}`];
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

/** The values of an enum stand beside the entity. */
function isConstant(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function imports(entity: EntityModel, encoded: readonly Expression[]): TsCode {
  const { name, properties } = entity;
  const leaves = queriedLeaves(entity);
  const decoding = properties.flatMap(({ type, nullable }) =>
    kindOf(type).decode(ts`row`, type, nullable),
  );
  const binding = leaves.flatMap(({ type }) => kindOf(type).bind(type) ?? []);
  const filters = [...leaves, ...queriedCommonLeaves(entity)].flatMap(
    ({ type }) => kindOf(type).filter(type) ?? [],
  );
  const named = filters.flatMap(({ uses }) => uses);
  const uses = [
    ...[...encoded, ...decoding, ...binding].flatMap((expression) => expression.uses),
    ...named.filter((name) => !isConstant(name)),
    ...decoderUses(entity),
  ];
  const shown: PropertyType[] = properties.map(({ type }) => innerType(type));
  const types = [
    ...enumsOf(properties).filter(({ type }) => shown.includes(type)),
    ...objectsOf(properties).filter(({ type }) => shown.includes(type)),
  ].map(({ type }) => `type ${type.typeName}`);
  const made = decoderTypes(entity).map((typeName) => `type ${typeName}`);
  return importCode([
    { from: runtime("store/database"), names: decodesRows(entity) ? ["type Row"] : [] },
    { from: runtime("store/linked-rows"), names: readsLinked(entity) ? ["type LinkedRows"] : [] },
    { from: runtime("store/with-itself"), names: mirrorsInside(entity) ? ["withItself"] : [] },
    { from: runtime("store/entity-table"), names: ["type EntityTable"] },
    ...["creatorOf", "lastModifierOf", "textOf", ...uses].map((used) => ({
      from: runtime(runtimeModule(used)),
      names: [used],
    })),
    ...parentImports(entity),
    {
      from: besideModule(entity, "entity"),
      names: [
        ...named.filter(isConstant),
        `type ${name.typeName}`,
        `type ${name.typeName}Properties`,
        ...types,
        ...made,
      ],
    },
  ]);
}
