import { loadOwn } from "../base/package.js";
import type { SqlRow, SqlValue } from "./database.js";

/** The part of the package `pg` that the driver uses. */
export interface PostgresModule {
  readonly Client: new (config: ClientConfig) => PostgresClient;
  readonly Query: QueryClass;
}

/** What ends a statement, or the session, in milliseconds; left out is without end. */
export interface StatementTimes {
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
}

/** How to reach the database. */
export interface ClientConfig extends StatementTimes {
  readonly connectionString: string;
  readonly fallback_application_name?: string;
  readonly keepAlive?: boolean;
  readonly connectionTimeoutMillis: number;
  /** Statements are sent without waiting for the answers to the ones before. */
  readonly pipeline?: boolean;
  readonly types?: { readonly getTypeParser: (oid: number) => (text: string) => SqlValue };
}

/** A statement with a name is parsed once on each connection. */
export interface PostgresStatement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly SqlValue[];
  /** Left out: those of the connection. */
  readonly types?: ClientConfig["types"];
  /** The protocol that takes one statement and no more; left out: what has neither a name nor values goes without it. */
  readonly queryMode?: "extended";
}

/** A statement on its way: a client takes it in place of a statement. */
export interface PostgresQuery {
  handleDataRow(message: { readonly length: number }): void;
}

/** What the package makes of each statement that it is given. */
export type QueryClass = new (statement: PostgresStatement) => PostgresQuery;

/** The answer to a statement. */
export interface PostgresResult {
  readonly rows: readonly SqlRow[];
  readonly rowCount: number | null;
}

/** One connection. */
export interface PostgresClient {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** What `end` cannot do: it waits for the answers that are due. */
  readonly connection: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query(statement: PostgresStatement): Promise<PostgresResult>;
  query(
    statement: PostgresStatement | PostgresQuery,
    settle: (error: unknown, result?: PostgresResult) => void,
  ): void;
  /** `I` outside of a transaction, when the last answer came. */
  getTransactionStatus(): string | null;
  end(): Promise<unknown>;
  on(event: "error" | "end", listener: (error: unknown) => void): unknown;
}

/** Loads the package; only a service whose DATABASE_URL names PostgreSQL does. */
export function loadPostgres(): PostgresModule {
  return loadOwn("pg");
}
