import { joined, ts, word } from "../naming/code.js";
import {
  arrowDoc,
  flat,
  genericDoc,
  leastWidth,
  objectDoc,
  prefixed,
  printed,
  type Doc,
  WIDTH,
} from "../naming/doc.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import type { EntityModel } from "../model/entity-model.js";
import { innerType, leavesOf, membersOf } from "../model/leaves.js";
import { isNested, referencesOf } from "../model/references.js";
import { deletionEntries } from "./deletion-sql.js";
import { entityHeader, fileCode } from "./header-view.js";
import { arrayCode, listEntry, objectCode } from "./layout.js";
import { queriedLeaves } from "./nested.js";
import {
  isJoined,
  joinedColumns,
  joinedReferences,
  joinLines,
  leafExpression,
} from "./reference-sql.js";
import { decodeParameters, decoderFunctions } from "./decoder-code.js";
import { ownerColumns } from "./owner-columns.js";
import { holdsObjects, jsonColumnsCode } from "./json-shape-code.js";
import { linkDocs, linkedDocs } from "./link-sql.js";
import { mirrorEntries } from "./mirror-code.js";
import { namesView } from "./resource-names.js";
import { itemColumns } from "../storage/item-tables.js";
import { searchedLeaves, searchName } from "../storage/search-tables.js";
import { entityType, propertiesType, tableOf } from "./modules.js";

/** The file of the table of an entity, and of the conversion between its rows and entities. */
export function storeCode(entity: EntityModel): TsCode {
  const { name, properties } = entity;
  const variable = word(name.variable);
  const written = properties.map((property) => writtenCode(property, variable));
  const head = ts`export const ${word(name.singular)}Table = `;
  const made = genericDoc(ts`@tableOf`, [entityType(name), propertiesType(name)]);
  const leaves = [
    ...queriedLeaves(entity).map((leaf) => leafCode(leaf, entity)),
    ...ownerColumns(entity),
  ];
  const mirrors = mirrorEntries(entity);
  const searches = searchDocs(entity);
  const entries = [
    ts`name: ${literal(name.table)}`,
    ts`entityType: ${literal(name.typeName)}`,
    ts`idProperty: ${literal(name.idProperty)}`,
    ...(entity.tenant === null ? [] : [ts`hasTenant: true`]),
    ts`written: ${objectCode(written, { indent: 2, expanded: true })}`,
    ...selectEntries(entity),
    ...deletionEntries(entity),
    ...listEntry(ts`links`, linkDocs(entity), true),
    ...listEntry(ts`searches`, searches, searches.length > 1),
    ...listEntry(ts`linked`, linkedDocs(entity), true),
    ts`columns: ${objectCode(leaves, { indent: 2, expanded: true })}`,
    ...otherLeaves(entity),
    ...commonFilters(entity),
    ...parentEntry(entity),
    ...(properties.some(holdsObjects) ? [ts`json: ${jsonColumnsCode(entity)}`] : []),
    decodeCode(entity),
    ...(mirrors.length > 0 ? [ts`mirrored`] : []),
  ];
  return fileCode(entityHeader(entity), [
    ts`/** The table of ${word(name.plural)}, and the conversion between its rows and entities. */
${head}${printed(made, { before: head, after: "({" })}({
  ${joined(entries, ",\n  ")},
});`,
    ...(mirrors.length > 0 ? [mirroredCode(entity, mirrors)] : []),
    ...decoderFunctions(entity),
  ]);
}

/**
 * The texts that are searched: `{ path: "name", table: "customers_name_search", texts: (customer) => customer.name }` (QRY-7),
 * and those of others (QRY-8).
 */
function searchDocs(entity: EntityModel): Doc[] {
  const { name, properties, searchedOthers } = entity;
  const variable = word(name.variable);
  const own = searchedLeaves(entity).map(({ path }) => {
    const table = literal(searchName(name.table, path));
    const texts = ts`(${variable}) => ${textAt(properties, path, variable)}`;
    return objectDoc([ts`path: ${literal(path)}`, ts`table: ${table}`, ts`texts: ${texts}`]);
  });
  const others = joinedReferences(entity).flatMap(({ property, type, target }) =>
    type.embedded
      .filter(({ path }) => searchedOthers.includes(path))
      .map(({ name: embedded, path }) => {
        const table = literal(searchName(target.name.table, embedded));
        const reference = literal(`${sqlName(name.table)}.${sqlName(property.name)}`);
        return objectDoc([
          ts`path: ${literal(path)}`,
          ts`table: ${table}`,
          ts`reference: ${reference}`,
        ]);
      }),
  );
  return [...own, ...others];
}

/** `customer.address?.city` */
function textAt(properties: readonly PropertyModel[], path: string, holder: TsCode): TsCode {
  const [first = "", ...rest] = path.split(".");
  const property = properties.find(({ name }) => name === first);
  const at = ts`${holder}.${word(first)}`;
  if (property === undefined || rest.length === 0) return at;
  return textAt(membersOf(property.type), rest.join("."), property.nullable ? ts`${at}?` : at);
}

/** Embeds the current values of an entity where it refers to itself. */
function mirroredCode({ name }: EntityModel, mirrors: readonly TsCode[]): TsCode {
  const { article, variable, words } = namesView(name);
  const type = entityType(name);
  return ts`/** Embeds the current values of ${article} ${words} where it refers to itself. */
function mirrored(${variable}: ${type}): ${type} {
  return {
    ...${variable},
    ${joined(mirrors, ",\n    ")},
  };
}`;
}

function namesCode(properties: readonly PropertyModel[], before: string): TsCode {
  return arrayCode(
    properties.map(({ name }) => literal(name)),
    { indent: 2, before, after: "," },
  );
}

/** Which columns are read as text, and what is read of other tables. */
function selectEntries(entity: EntityModel): TsCode[] {
  const asText = entity.properties.filter(({ type }) => isReadAsText(type));
  const joins = joinLines(entity);
  return [
    ...(asText.length === 0 ? [] : [ts`asText: ${namesCode(asText, "asText: ")}`]),
    ...(joins === "" ? [] : [ts`joins: \`\n    ${joins}\``]),
    ...listEntry(ts`joined`, joinedColumns(entity)),
  ];
}

/** Its column does not hold what an answer shows. */
function isReadAsText(type: PropertyType): boolean {
  return kindOf(type).selected("column", "column") !== "column";
}

function decodeCode(entity: EntityModel): TsCode {
  const id = word(entity.name.idProperty);
  const members = entity.properties.map(({ name, type, nullable }) => {
    const own = word(name);
    const decoded = kindOf(type).decode(ts`row.${own}`, type, nullable, ts`json.${own}`);
    return ts`${own}: ${printed(decoded, { indent: 4, before: `${name}: `, after: "," })}`;
  });
  const all = [
    ts`${id}: @textOf(row.${id})`,
    ...members,
    ts`createdDate: @textOf(row.created_date)`,
    ts`createdSubject: @creatorOf(row)`,
    ts`lastModifiedDate: @textOf(row.last_modified_date)`,
    ts`lastModifiedSubject: @lastModifierOf(row)`,
  ];
  return ts`decode: (${decodeParameters(entity)}) => ({\n    ${joined(all, ",\n    ")},\n  })`;
}

/** `price: (order) => scaledInteger(order.price, 2)` */
function writtenCode({ name, type, nullable }: PropertyModel, variable: TsCode): TsCode {
  const own = word(name);
  const encoded = kindOf(type).encode(ts`${variable}.${own}`, type, nullable);
  const entry = prefixed(ts`${own}: `, arrowDoc(ts`(${variable})`, encoded));
  return printed(entry, { indent: 4, after: "," });
}

/** `priority: { filter: integerFilter() }` */
function leafCode(leaf: PropertyModel, entity: EntityModel): TsCode {
  const item = itemColumns(entity).find((one) => one.leaf.path === leaf.path);
  const entries =
    item === undefined
      ? expressionEntries(leaf, entity)
      : [
          ts`expression: ${literal(`${sqlName(item.table)}.${sqlName(item.column)}`)}`,
          ts`items: { list: ${literal(item.list)}, table: ${literal(item.table)} }`,
        ];
  const bind = kindOf(leaf.type).bind(leaf.type);
  if (bind !== null) entries.push(ts`bind: ${flat(bind)}`);
  const filter = kindOf(leaf.type).filter(leaf.type);
  if (filter !== null) entries.push(ts`filter: ${flat(filter)}`);
  if (leaf.type.kind === "array") entries.push(ts`contains: true`);
  if (isJoined(entity, leaf)) entries.push(ts`joined: true`);
  const name = key(leaf.path);
  return ts`${name}: ${objectCode(entries, { indent: 4, before: `${name}: `, after: "," })}`;
}

/** What `context.sql` has to know of values that no query names: where they are inside JSON, and how they are stored. */
function otherLeaves(entity: EntityModel): TsCode[] {
  const shown = referencesOf(entity).flatMap(({ isList, type }) =>
    [...(isList ? [type.identifier] : []), ...type.embedded].map(({ path }) => path),
  );
  const leaves = leavesOf(entity.properties).filter(({ path, type }) => {
    const isPlain = !isNested(path) && kindOf(type).bind(type) === null;
    const isNamed = innerType(type).kind !== "object" && !shown.includes(path);
    return isNamed && !isPlain && !entity.queried.includes(path);
  });
  if (leaves.length === 0) return [];
  const code = leaves.map((leaf) => leafCode(leaf, entity));
  return [ts`leaves: ${objectCode(code, { indent: 2, expanded: true })}`];
}

/** The filters of the common fields that a resource lets clients query, for custom code as well (QRY-1). */
function commonFilters(entity: EntityModel): TsCode[] {
  const members = queriedCommonLeaves(entity).flatMap(({ path, type }) => {
    const filter = kindOf(type).filter(type);
    return filter === null ? [] : [ts`${key(path)}: ${flat(filter)}`];
  });
  if (members.length === 0) return [];
  return [ts`commonFilters: ${objectCode(members, { indent: 2, expanded: true })}`];
}

/** None for a column of that name; a leaf inside a JSON column has a text for each database. */
function expressionEntries(leaf: PropertyModel, entity: EntityModel): TsCode[] {
  const qualifier = `${sqlName(entity.name.table)}.`;
  const sqlite = leafExpression(leaf, entity, { dialect: "sqlite", qualifier });
  const postgres = leafExpression(leaf, entity, { dialect: "postgres", qualifier });
  if (sqlite === qualifier + sqlName(leaf.path)) return [];
  if (sqlite === postgres) return [ts`expression: ${literal(sqlite)}`];
  const both = [ts`sqlite: ${literal(sqlite)}`, broken(ts`postgres: `, literal(postgres), 8)];
  return [ts`expression: ${objectCode(both, { indent: 6, expanded: true })}`];
}

/** A member of an object, its value on a line of its own where it is too long for one. */
function broken(name: TsCode, value: TsCode, indent: number): TsCode {
  const isLong = indent + leastWidth(name + value) + 1 > WIDTH;
  return isLong
    ? ts`${name.trimEnd() as TsCode}\n${" ".repeat(indent + 2) as TsCode}${value}`
    : ts`${name}${value}`;
}

/** What it belongs to, where its resources ask something of that (AUT-2). */
function parentEntry({ name, parent, isScopedByParent }: EntityModel): TsCode[] {
  if (parent === null || !isScopedByParent) return [];
  const reference = `${sqlName(name.table)}.${sqlName(parent.property)}`;
  const entries = [ts`reference: ${literal(reference)}`, ts`table: ${tableOf(parent.name)}`];
  const around = { indent: 2, before: "parent: ", after: "," };
  return [ts`parent: ${objectCode(entries, around)}`];
}
