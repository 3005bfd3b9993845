import type { StoredValue } from "#runtime/store/storage-model";
import { kindOf } from "../kinds/kinds.js";

const UUID = { kind: "uuid" } as const;
const TIMESTAMP = { kind: "timestamp" } as const;

/** A column that the service names itself, for a text. */
export function textColumn(name: string): StoredValue {
  return { name, type: "text", nullable: false, encoding: { form: "string" } };
}

/** Likewise, for an identifier. */
export function identifierColumn(name: string): StoredValue {
  return { name, type: "text", nullable: false, encoding: kindOf(UUID).encoding(UUID) };
}

/** Likewise, for a whole number. */
export function integerColumn(name: string): StoredValue {
  return { name, type: "integer", nullable: false, encoding: { form: "integer" } };
}

/** Likewise, for a time. */
export function timeColumn(name: string): StoredValue {
  return { name, type: "text", nullable: false, encoding: kindOf(TIMESTAMP).encoding(TIMESTAMP) };
}

/** Beside the identifier and the properties of every entity: ENT-1, and the revision of OPS-10. */
export const COMMON_COLUMNS: readonly StoredValue[] = [
  timeColumn("created_date"),
  textColumn("created_subject_id"),
  textColumn("created_user_principal_name"),
  timeColumn("last_modified_date"),
  textColumn("last_modified_subject_id"),
  textColumn("last_modified_user_principal_name"),
  integerColumn("row_revision"),
];

/** The tenant of an entity (AUT-4). No name of a property has an underscore. */
export const TENANT = "row_tenant";
