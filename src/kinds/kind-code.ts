import type { Doc } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import type { JsonSchema } from "./json-schema.js";

/**
 * Where a schema stands: in an answer every property is present; a whole body (POST) may leave out what has a default
 * or may be null; a replacement (PUT) has no defaults, and may leave out what it cannot change; a part (PATCH) may
 * leave out anything.
 */
export type SchemaUse = "answer" | "whole" | "replacement" | "part";

/** How a value is read, written and described: what the code and the documents of a service ask of a kind. */
export interface KindCode<T> {
  /** The type in TypeScript, null aside. */
  tsType(type: T): TsCode;
  /** The schema of a value that is not null. */
  jsonSchema(type: T, use: SchemaUse): JsonSchema;
  /** What a value is and which bounds it keeps, for the documentation. */
  describe(type: T): string;
  /** A reader of runtime/input or runtime/entity for a value in a body. */
  reader(type: T): Doc;
  /** A filter of runtime/query for a value in a query; null: cannot be filtered by. */
  filter(type: T): Doc | null;
  /** The JSON text of a value, or of null; the variable `inner` holds the line break of the object's members. */
  write(value: TsCode, type: T, nullable: boolean): Doc;
}
