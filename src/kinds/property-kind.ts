import type { TsCode } from "../naming/encoders.js";
import type { PropertyType, Value } from "../model/service-model.js";
import type { Expression } from "./expression.js";

/** A JSON Schema (2020-12) as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * Where a schema stands: in an answer every property is present; a whole body (POST) may leave out what has a default
 * or may be null; a replacement (PUT) has no defaults, and may leave out what it can not change; a part (PATCH) may
 * leave out anything.
 */
export type SchemaUse = "answer" | "whole" | "replacement" | "part";

/** Values for generated tests: each valid one is stored and returned unchanged, each invalid one is refused. */
export interface Samples {
  readonly valid: readonly Value[];
  readonly invalid: readonly Value[];
}

/** What a column holds; each database has its own name for it. JSON is the text of an object or an array. */
export type ColumnType = "text" | "integer" | "real" | "boolean" | "json";

/** Everything that the views ask of a kind of property; a kind answers for itself. */
export interface PropertyKind<T extends PropertyType> {
  /** The type in the DTO, null aside. */
  tsType(type: T): TsCode;
  /** The schema of a value that is not null. */
  jsonSchema(type: T, use: SchemaUse): JsonSchema;
  /** What a value is and which bounds it keeps, for the documentation. */
  describe(type: T): string;
  /** A reader of kernel/entity/validation.ts for a value in a body. */
  reader(type: T): Expression;
  /** A filter of kernel/query/filters.ts for a value in a query; null: can not be filtered by. */
  filter(type: T): Expression | null;
  /** What the column of a property holds. */
  columnType(type: T): ColumnType;
  /** What a leaf inside a JSON column holds. */
  leafType(type: T): ColumnType;
  /** What the SELECT reads, under the name `shown`: the column, or a cast of it. */
  selected(column: string, shown: string): string;
  /** The SQL expression to filter and sort by, of a leaf inside a JSON column. */
  leaf(extracted: string, type: T): string;
  /** From the property's value to what the column holds. */
  encode(value: TsCode, type: T, nullable: boolean): Expression;
  /** From what the row holds to the property's value. */
  decode(value: TsCode, type: T, nullable: boolean): Expression;
  /** A function that turns a filter's value into what the column holds; null: they are the same. */
  bind(type: T): Expression | null;
  /** The JSON text of a value, or of null; the variable `inner` holds the line break of the object's members. */
  write(value: TsCode, type: T, nullable: boolean): Expression;
  samples(type: T): Samples;
}
