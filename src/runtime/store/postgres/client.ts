import { StartRefusal } from "../../base/errors.js";
import { loadOwn } from "../../base/package.js";
import type { SqlRow, SqlValue } from "../database.js";
import { sqlState } from "./errors.js";

/** The part of the package `pg` that the driver uses. */
export interface PostgresModule {
  readonly Client: new (config: ClientConfig) => PostgresClient;
  readonly Query: QueryClass;
}

/** What ends a statement, or the session, in milliseconds; left out is without end. */
interface StatementTimes {
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
}

/** How to reach the database. */
interface ClientConfig extends StatementTimes {
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

/** How a service uses a PostgreSQL server. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** At most this many connections of this process. At least 2. */
  readonly connections: number;
  /** No statement takes longer. */
  readonly requestSeconds: number;
  /** What the server calls its connections. */
  readonly name: string;
}

const CONNECT_MILLISECONDS = 5000;
const STATEMENT_MILLISECONDS = 20_000;
const LOCK_MILLISECONDS = 5000;
const IDLE_MILLISECONDS = 10_000;

/** Types whose text is a number; a decimal is read as text, so that all of them are within 53 bits. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701]);
const BOOLEAN = 16;
const NUMERIC = 1700;

/** A connection for one purpose, without time-outs. Throws `StartRefusal`. */
export async function connectPostgres(options: PostgresOptions): Promise<PostgresClient> {
  const module = loadPostgres();
  await checkServer(module, options);
  const client = newClient(module, configOf(options));
  await client.connect();
  return client;
}

/** How every connection is made. */
export function configOf({ url, name }: PostgresOptions): ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    types: { getTypeParser: parserOf },
  };
}

/** How long a statement of a request may take. */
export function timesOf({ requestSeconds }: PostgresOptions): Required<StatementTimes> {
  const statement = Math.min(STATEMENT_MILLISECONDS, requestSeconds * 1000);
  return {
    statement_timeout: statement,
    lock_timeout: Math.min(LOCK_MILLISECONDS, statement / 2),
    idle_in_transaction_session_timeout: IDLE_MILLISECONDS,
  };
}

/** Rows look as SQLite's do: numbers are numbers, and a boolean is 1 or 0. */
function parserOf(oid: number): (text: string) => SqlValue {
  if (oid === BOOLEAN) return (text) => (text === "t" ? 1 : 0);
  return NUMBERS.has(oid) ? Number : String;
}

/** Of statements of custom code: a sum is a bigint, as SQLite gives it. */
export const OWN_TYPES: ClientConfig["types"] = {
  getTypeParser: (oid) =>
    oid === NUMERIC || NUMBERS.has(oid)
      ? (text) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text))
      : parserOf(oid),
};

/** Throws `StartRefusal` where the server is not there, or cannot be used. */
export async function checkServer(module: PostgresModule, options: PostgresOptions): Promise<void> {
  const client = newClient(module, configOf(options));
  try {
    await client.connect();
    const { rows } = await client.query({ text: "SHOW server_encoding" });
    const encoding = rows[0]?.["server_encoding"];
    if (encoding !== "UTF8") throw new Error(`its encoding is ${encoding}, not UTF8`);
  } catch (error) {
    throw new StartRefusal(refusalText(client, error), { cause: error });
  } finally {
    await client.end();
  }
}

/** A connection that is not open yet. Throws `StartRefusal`. */
export function newClient({ Client }: PostgresModule, config: ClientConfig): PostgresClient {
  try {
    const client = new Client(config);
    // A connection that is lost tells whoever waits for an answer; nobody else has to hear of it.
    client.on("error", () => undefined);
    return client;
  } catch (error) {
    // The value is not shown: it may hold a password.
    throw new StartRefusal(
      "DATABASE_URL cannot be read. It has the form postgres://user:password@host:port/database.",
      { cause: error },
    );
  }
}

function refusalText({ host, port, user, database }: PostgresClient, error: unknown): string {
  const server = `DATABASE_URL names PostgreSQL at ${host}:${port}`;
  const state = sqlState(error);
  if (state === "3D000") return `${server}, which has no database "${database}". Create it first.`;
  if (state?.startsWith("28")) return `${server}, which refuses the user "${user}".`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error);
  return `${server}, which cannot be used: ${message || code}.`;
}
