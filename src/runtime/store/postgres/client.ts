import { StartRefusal } from "../../base/errors.js";
import { loadOwn } from "../../base/package.js";
import type { SqlRow, SqlValue } from "../database.js";
import { sqlState } from "./errors.js";

/** The part of `pg` that the driver uses. */
export interface PostgresModule {
  readonly Client: new (config: ClientConfig) => PostgresClient;
  readonly Query: QueryClass;
}

/** Time-outs in milliseconds, all optional. */
interface StatementTimes {
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
}

interface ClientConfig extends StatementTimes {
  readonly connectionString: string;
  readonly fallback_application_name?: string;
  readonly keepAlive?: boolean;
  readonly connectionTimeoutMillis: number;
  /** Sends statements without waiting for earlier results. */
  readonly pipeline?: boolean;
  readonly types?: { readonly getTypeParser: (oid: number) => (text: string) => SqlValue };
}

/** A named statement is parsed once on each connection. */
export interface PostgresStatement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly SqlValue[];
  /** Default: those of the connection. */
  readonly types?: ClientConfig["types"];
  /** The extended protocol allows a single statement. By default, texts without a name and values use the simple one. */
  readonly queryMode?: "extended";
}

export interface PostgresQuery {
  handleDataRow(message: { readonly length: number }): void;
}

export type QueryClass = new (statement: PostgresStatement) => PostgresQuery;

export interface PostgresResult {
  readonly rows: readonly SqlRow[];
  readonly rowCount: number | null;
}

export interface PostgresClient {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** `end` waits for outstanding results, and destroying the stream does not. */
  readonly connection: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query(statement: PostgresStatement): Promise<PostgresResult>;
  query(
    statement: PostgresStatement | PostgresQuery,
    settle: (error: unknown, result?: PostgresResult) => void,
  ): void;
  /** `I` outside of a transaction, as of the last result. */
  getTransactionStatus(): string | null;
  end(): Promise<unknown>;
  on(event: "error" | "end", listener: (error: unknown) => void): unknown;
}

/** Only called if DATABASE_URL names PostgreSQL. */
export function loadPostgres(): PostgresModule {
  return loadOwn("pg");
}

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** The size of the pool, at least 2. */
  readonly connections: number;
  /** The limit of a request; a statement ends after 20 s at the latest. */
  readonly requestSeconds: number;
  /** The `application_name`, unless the URL has one. */
  readonly name: string;
}

const CONNECT_MILLISECONDS = 5000;
const STATEMENT_MILLISECONDS = 20_000;
const LOCK_MILLISECONDS = 5000;
const IDLE_MILLISECONDS = 10_000;

/** Types that are read as numbers, which fit into 53 bits, since decimals are read as text. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701]);
const BOOLEAN = 16;
const NUMERIC = 1700;

/** A single connection without time-outs of statements. Throws `StartRefusal`. */
export async function connectPostgres(options: PostgresOptions): Promise<PostgresClient> {
  const module = loadPostgres();
  await checkServer(module, options);
  const client = newClient(module, configOf(options));
  await client.connect();
  return client;
}

export function configOf({ url, name }: PostgresOptions): ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    types: { getTypeParser: parserOf },
  };
}

export function timesOf({ requestSeconds }: PostgresOptions): Required<StatementTimes> {
  const statement = Math.min(STATEMENT_MILLISECONDS, requestSeconds * 1000);
  return {
    statement_timeout: statement,
    lock_timeout: Math.min(LOCK_MILLISECONDS, statement / 2),
    idle_in_transaction_session_timeout: IDLE_MILLISECONDS,
  };
}

/** Makes rows look like SQLite's: booleans are 1 or 0. */
function parserOf(oid: number): (text: string) => SqlValue {
  if (oid === BOOLEAN) return (text) => (text === "t" ? 1 : 0);
  return NUMBERS.has(oid) ? Number : String;
}

/** For statements of custom code: whole numbers are bigints, as on SQLite. */
export const CONVERTED_TYPES: ClientConfig["types"] = {
  getTypeParser: (oid) =>
    oid === NUMERIC || NUMBERS.has(oid)
      ? (text) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text))
      : parserOf(oid),
};

/** Throws `StartRefusal` if the server cannot be used. */
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

/** Not connected yet. Throws `StartRefusal`. */
export function newClient({ Client }: PostgresModule, config: ClientConfig): PostgresClient {
  try {
    const client = new Client(config);
    // An `error` event without a listener would end the process. A lost connection also rejects its statements.
    client.on("error", () => undefined);
    return client;
  } catch (error) {
    // The value may contain a password.
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
