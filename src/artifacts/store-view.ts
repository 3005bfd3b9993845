import { joined, templateText, ts, word } from "../naming/code.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import type { Expression } from "../kinds/expression.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel, PropertyType, ResourceModel } from "../model/service-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, importCode, objectCode } from "./layout.js";
import { enumsOf, innerType, objectsOf, queriedLeaves } from "./nested.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { sqlExpression, type SqlDialect } from "./sql-dialect.js";

/** What `resource/store.ts.hbs` sees. */
export interface StoreView extends HeaderView, ResourceNamesView {
  readonly imports: TsCode;
  readonly table: TsCode;
  readonly tableLiteral: TsCode;
  readonly placeholders: TsCode;
  readonly columns: readonly ColumnView[];
  readonly leaves: TsCode;
  readonly encoded: TsCode;
}

interface ColumnView {
  readonly name: TsCode;
  readonly column: TsCode;
  readonly selected: TsCode;
  readonly decoded: TsCode;
}

/** Columns that every table has beside the identifier and the properties (ENT-1). */
const COMMON_COLUMNS = 7;

/** The table of a resource and its statements. */
export function storeView(resource: ResourceModel): StoreView {
  const { name, properties } = resource;
  const variable = word(name.variable);
  const placeholders = Array.from({ length: 1 + properties.length + COMMON_COLUMNS }, () => ts`?`);
  const encoded = properties.map((property) => encode(property, variable));
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    imports: imports(resource, encoded),
    table: templateText(sqlName(name.table)),
    tableLiteral: literal(name.table),
    placeholders: joined(placeholders, ", "),
    columns: properties.map(columnView),
    leaves: objectCode(
      queriedLeaves(resource).map((leaf) => leafCode(leaf, name.table)),
      { indent: 2, expanded: true },
    ),
    encoded: arrayCode(
      encoded.map(({ code }) => code),
      { indent: 2, before: `encode: (${variable}) => `, after: "," },
    ),
  };
}

function columnView(property: PropertyModel): ColumnView {
  const { name, type, nullable } = property;
  const column = sqlName(name);
  return {
    name: word(name),
    column: templateText(column),
    selected: templateText(kindOf(type).selected(column)),
    decoded: kindOf(type).decode(ts`row.${word(name)}`, type, nullable).code,
  };
}

function encode({ name, type, nullable }: PropertyModel, variable: TsCode): Expression {
  return kindOf(type).encode(ts`${variable}.${word(name)}`, type, nullable);
}

/** `priority: { expression: '"priority"' }` */
function leafCode(leaf: PropertyModel, table: string): TsCode {
  const entries = [ts`expression: ${expressionCode(leaf, table)}`];
  const bind = kindOf(leaf.type).bind(leaf.type);
  if (bind !== null) entries.push(ts`bind: ${bind.code}`);
  if (leaf.type.kind === "array") entries.push(ts`contains: true`);
  const name = key(leaf.path);
  return ts`${name}: ${objectCode(entries, { indent: 4, before: `${name}: `, after: "," })}`;
}

/** One text for every database; a leaf inside a JSON column has one for each. */
function expressionCode(leaf: PropertyModel, table: string): TsCode {
  const sqlite = listedExpression(leaf, table, "sqlite");
  const postgres = listedExpression(leaf, table, "postgres");
  if (sqlite === postgres) return literal(sqlite);
  return objectCode([ts`sqlite: ${literal(sqlite)}`, ts`postgres: ${literal(postgres)}`], {
    indent: 6,
    expanded: true,
  });
}

/** ORDER BY would take a name for what the select shows under it: the text of a decimal, not its number. */
function listedExpression(leaf: PropertyModel, table: string, dialect: SqlDialect): string {
  const expression = sqlExpression(leaf, dialect);
  const isShownAsItIs = kindOf(leaf.type).selected(expression) === expression;
  return leaf.path.includes(".") || isShownAsItIs ? expression : `${sqlName(table)}.${expression}`;
}

function imports(resource: ResourceModel, encoded: readonly Expression[]): TsCode {
  const { name, version, properties } = resource;
  const leaves = queriedLeaves(resource);
  const decoding = properties.flatMap(({ type, nullable }) =>
    kindOf(type).decode(ts`row`, type, nullable),
  );
  const binding = leaves.flatMap(({ type }) => kindOf(type).bind(type) ?? []);
  const uses = [...encoded, ...decoding, ...binding].flatMap((expression) => expression.uses);
  const shown: PropertyType[] = properties.map(({ type }) => innerType(type));
  const types = [
    ...enumsOf(properties).filter(({ type }) => shown.includes(type)),
    ...objectsOf(properties).filter(({ type }) => shown.includes(type)),
  ].map(({ type }) => `type ${type.typeName}`);
  return importCode([
    { from: "../kernel/store/entity-table.js", names: ["type EntityTable"] },
    { from: "../kernel/store/rows.js", names: ["commonFields", "textOf", ...uses] },
    {
      from: `../${version}/${name.plural}/${name.plural}.dto.js`,
      names: [`type ${name.typeName}`, `type ${name.typeName}Properties`, ...types],
    },
  ]);
}
