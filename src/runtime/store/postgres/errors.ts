import {
  ReferenceViolation,
  StatementTimeout,
  StorageUnavailable,
  UniqueViolation,
} from "../database.js";

interface ServerError extends Error {
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly table?: string;
  readonly detail?: string;
  readonly constraint?: string;
}

/** Errors of single states. */
const VIOLATIONS: Readonly<Record<string, (error: ServerError) => Error>> = {
  // foreign_key_violation
  "23503": (error) => new ReferenceViolation(error.message, { cause: error }),
  // unique_violation
  "23505": ({ table = "", detail = "" }) => new UniqueViolation(table, keyColumns(detail)),
  // query_canceled: it took longer than statement_timeout
  "57014": (error) => new StatementTimeout(error.message, { cause: error }),
};

/** SQLSTATEs and classes for faults of the server, and not of the statement. */
const STORAGE_STATES = [
  "08", // the connection
  "25006", // read-only: a standby took over
  "25P03", // idle in a transaction for too long
  "26000", // a prepared statement that the server has forgotten
  "28", // who may connect
  "3D000", // no such database
  "40", // conflicts that did not end
  "53", // out of connections, memory, disk
  "55P03", // a lock that is not available
  "57", // cancelled, shutting down, starting up
  "58", // the server's system
  "XX001", // corrupted data
  "XX002", // corrupted index
];
/** Nothing was written, and another attempt can succeed: serialization, deadlock, a statement that was not prepared. */
const TRANSIENT_STATES: ReadonlySet<string> = new Set(["40001", "40P01", "26000"]);
const READ_ONLY_STATE = "25006";
/** The server cannot write: its disk is full, or its system failed. */
const UNWRITABLE_STATES = ["53100", "58"];
const CONNECTION_STATES = ["08", "57P"];
/** Messages of `pg` without a code, for connections that ended or timed out. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout |Cannot use a pool)/;
/** Codes of sockets, DNS and TLS. */
const SYSTEM_CODE = /^(?:E[A-Z]|ERR_|CERT_|[A-Z_]+_CERT)/;
const KEY = /\((.*?)\)=\(/s;

/** Maps errors of `pg` to `UniqueViolation`, `ReferenceViolation` or `StorageUnavailable`; returns others unchanged. */
export function postgresError(error: unknown): unknown {
  if (isServerError(error)) {
    const violation = VIOLATIONS[error.code];
    if (violation !== undefined) return violation(error);
    const isStorage = STORAGE_STATES.some((state) => error.code.startsWith(state));
    return isStorage ? new StorageUnavailable(error.message, { cause: error }) : error;
  }
  return isConnectionLoss(error) ? new StorageUnavailable(error.message, { cause: error }) : error;
}

/** A conflict with another transaction, or a statement that the server has forgotten; nothing was written. */
export function isTransient(error: unknown): boolean {
  return isServerError(error) && TRANSIENT_STATES.has(error.code);
}

/** The connection broke, so it is unknown whether a write was committed. */
export function isConnectionLoss(error: unknown): error is Error {
  if (isServerError(error)) return CONNECTION_STATES.some((state) => error.code.startsWith(state));
  if (!(error instanceof Error)) return false;
  return (
    CONNECTION_MESSAGES.test(error.message) ||
    ("code" in error && SYSTEM_CODE.test(String(error.code)))
  );
}

/** A write in a read-only transaction, or on a server that has become a standby. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY_STATE;
}

/** The next write would fail as well. */
export function isUnwritable(error: unknown): boolean {
  return UNWRITABLE_STATES.some((state) => sqlState(error)?.startsWith(state));
}

/** A bound text is not a value of its type. */
export function isDataException(error: unknown): boolean {
  return ["22P02", "22003", "22007", "22008", "22021"].includes(sqlState(error) ?? "");
}

/** The SQLSTATE, or null for other errors. */
export function sqlState(error: unknown): string | null {
  return isServerError(error) ? error.code : null;
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && "severity" in error && "code" in error;
}

/** Reads `Key (email, "sentDate")=(a@b.c, 2)`; its words depend on the server's language. */
function keyColumns(detail: string): readonly string[] {
  const names = KEY.exec(detail)?.[1];
  if (names === undefined) return [];
  return names.split(", ").map((name) => name.replace(/^"(.*)"$/, "$1"));
}
