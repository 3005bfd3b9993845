import { sqlName, sqlText } from "../../naming/encoders.js";
import { shortName } from "../../storage/short-name.js";
import type { Statement } from "./statement.js";

/** Several statements as one, which is carried out as a whole or not at all. */
export function block(statements: readonly string[]): string {
  return ["DO $$ BEGIN", ...statements.map((one) => `${indented(one)};`), "END $$"].join("\n");
}

/** Statements for a table that still has a column: they can be run again when it is gone. */
export function ifColumn(table: string, column: string, ...statements: readonly string[]): string {
  const found = [
    "SELECT FROM information_schema.columns WHERE table_schema = current_schema()",
    `  AND table_name = ${sqlText(table)} AND column_name = ${sqlText(column)}`,
  ].join("\n");
  return conditional(found, statements);
}

/** Likewise, for a table that still has a constraint. */
export function ifConstraint(
  table: string,
  constraint: string,
  ...statements: readonly string[]
): string {
  const found = [
    "SELECT FROM information_schema.table_constraints WHERE table_schema = current_schema()",
    `  AND table_name = ${sqlText(table)} AND constraint_name = ${sqlText(constraint)}`,
  ].join("\n");
  return conditional(found, statements);
}

function conditional(found: string, statements: readonly string[]): string {
  const then = statements.map((one) => `${indented(one)};`).join("\n");
  return block([`IF EXISTS (\n${indented(found)}\n) THEN\n${then}\nEND IF`]);
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** Lets a column be null. */
export function dropNotNull(table: string, column: string): string {
  return `ALTER TABLE ${sqlName(table)} ALTER COLUMN ${sqlName(column)} DROP NOT NULL`;
}

/** The name of the constraint that proves, for a while, that a column is never null. */
export function proofName(table: string, column: string): string {
  return shortName(`${table}_${column}_present`);
}

/** A proof that a column is never null, which is found without a lock that keeps others waiting. */
export function proof(table: string, column: string): readonly [add: string, validate: string] {
  const [name, at] = [sqlName(proofName(table, column)), sqlName(table)];
  return [
    `ALTER TABLE ${at}\n  DROP CONSTRAINT IF EXISTS ${name},\n  ADD CONSTRAINT ${name} CHECK (${sqlName(column)} IS NOT NULL) NOT VALID`,
    `ALTER TABLE ${at} VALIDATE CONSTRAINT ${name}`,
  ];
}

/** An older release may write null, so that all of it waits. */
export function setNotNull(table: string, column: string): Statement[] {
  const [add, validate] = proof(table, column);
  const set = `ALTER TABLE ${sqlName(table)}\n  ALTER COLUMN ${sqlName(column)} SET NOT NULL,\n  DROP CONSTRAINT IF EXISTS ${sqlName(proofName(table, column))}`;
  const at = `${table}.${column}`;
  return [
    { kind: "contract", what: `refuse null for ${at}`, sql: add },
    { kind: "contract", what: `look whether ${at} is null anywhere`, sql: validate },
    { kind: "contract", what: `let ${at} never be null`, sql: set },
  ];
}
