import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import { StartRefusal } from "../base/errors.js";
import { isPostgresUrl } from "../store/open-database.js";
import { refuseOtherFile } from "../store/sqlite/files.js";

/** The settings of one process from its environment. */
export interface Environment {
  /** `PORT`, default 3000. 0 means any free port. */
  readonly port: number;
  /** `HOST`, default 127.0.0.1. `0.0.0.0` makes the service reachable from other machines. */
  readonly host: string;
  /** `DATABASE_URL`, default `sqlite:./data/<service>.db`. `postgres://...` is a PostgreSQL server. */
  readonly databaseUrl: string;
  /** `DATABASE_CONNECTIONS`, default 10: the size of the connection pool for PostgreSQL. */
  readonly databaseConnections: number;
  /** `MIGRATE_AT_START`, default true: a start applies pending migrations. If false, it refuses a database that lacks any. */
  readonly migrateAtStart: boolean;
  /** `MIGRATE_WAIT_SECONDS`, default 30: maximum wait for older releases to stop before an incompatible migration. */
  readonly migrateWaitSeconds: number;
  /** `BASE_URL` without a trailing slash. Null means the address on which the service listens. */
  readonly baseUrl: string | null;
  /** `TRUSTED_PROXIES`, default 0: number of proxies in front, whose `X-Forwarded-For` identifies the caller (LIM-2). */
  readonly trustedProxies: number;
  /** `STOP_ON_UNCAUGHT`, default false: whether an uncaught error of custom code stops the process, or is only logged. */
  readonly stopOnUncaught: boolean;
  /** `LOG_LEVEL`, default `info`. */
  readonly logLevel: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
/** One to read and one to write. */
const FEWEST_CONNECTIONS = 2;
const LARGEST_PORT = 65_535;

/** Reads the environment of a service. Throws `StartRefusal` with the variable and its valid values. */
export function readEnvironment(variables: Variables, service: string): Environment {
  return {
    port: readPort(variables["PORT"] || "3000"),
    host: variables["HOST"] || "127.0.0.1",
    databaseUrl: readDatabaseUrl(variables["DATABASE_URL"] ?? defaultUrl(service)),
    databaseConnections: readConnections(variables["DATABASE_CONNECTIONS"] || "10"),
    migrateAtStart: readFlag("MIGRATE_AT_START", variables["MIGRATE_AT_START"] || "true"),
    migrateWaitSeconds: readWait(variables["MIGRATE_WAIT_SECONDS"] || "30"),
    baseUrl: readBaseUrl(variables["BASE_URL"] || null),
    trustedProxies: readProxies(variables["TRUSTED_PROXIES"] || "0"),
    stopOnUncaught: readFlag("STOP_ON_UNCAUGHT", variables["STOP_ON_UNCAUGHT"] || "false"),
    logLevel: readLogLevel(variables["LOG_LEVEL"] || "info"),
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= LARGEST_PORT) return port;
  throw new StartRefusal(`PORT must be a number from 0 to ${LARGEST_PORT}, and is "${text}".`);
}

function defaultUrl(service: string): string {
  const path = `./data/${service}.db`;
  refuseOtherFile(path);
  return `sqlite:${path}`;
}

/** Refuses an empty string, because a secret that was not filled in would open the default database. */
function readDatabaseUrl(text: string): string {
  if (text === "") {
    throw new StartRefusal(
      "DATABASE_URL is empty. Leave it out for the SQLite file of development, or name the database.",
    );
  }
  if (/^sqlite:./.test(text) || isPostgresUrl(text)) return text;
  // The message omits the value, which may contain a password.
  throw new StartRefusal(
    "DATABASE_URL is neither of the form sqlite:<file> (or sqlite::memory:) nor " +
      "postgres://user:password@host:port/database.",
  );
}

function readConnections(text: string): number {
  const connections = Number(text);
  if (/^\d{1,4}$/.test(text) && connections >= FEWEST_CONNECTIONS) return connections;
  throw new StartRefusal(
    `DATABASE_CONNECTIONS must be a number from ${FEWEST_CONNECTIONS} to 9999, and is "${text}".`,
  );
}

function readFlag(name: string, text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new StartRefusal(`${name} must be true or false, and is "${text}".`);
}

function readWait(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new StartRefusal(`MIGRATE_WAIT_SECONDS must be a number from 0 to 9999, and is "${text}".`);
}

function readBaseUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}` === "";
  if (isPlain) return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  throw new StartRefusal(
    `BASE_URL must be an http or https URL without a query, as in https://api.example.com, and is "${text}".`,
  );
}

function readProxies(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new StartRefusal(`TRUSTED_PROXIES must be a number from 0 to 9, and is "${text}".`);
}

function readLogLevel(text: string): string {
  if (LOG_LEVELS.includes(text)) return text;
  throw new StartRefusal(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, and is "${text}".`);
}

const FILE = ".env";
/** A variable and an optional comment. A quoted value can have several lines. */
const VARIABLE =
  /^[^\S\n]*(?:export[^\S\n]+)?([^\s=#][^\s=]*)[^\S\n]*=[^\S\n]*((["'`])(?:(?!\3)[^])*\3|(?!["'`]).*?)[^\S\n]*(?:#.*)?$/gm;

/**
 * Adds the variables of `.env` in the working directory; existing variables win. A malformed file ends the process with exit
 * code 1 and one line on stderr, because ignoring it would start a differently configured service.
 */
export function withEnvFile(variables: Variables): Variables {
  if (!existsSync(FILE)) return variables;
  try {
    return { ...variablesOf(textOf(FILE)), ...variables };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The service cannot start: ${FILE}${reason}.\n`);
    process.exit(1);
  }
}

/** Reads a UTF-8 file without its byte order mark, which would hide the first variable. */
function textOf(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Error(" cannot be read", { cause: error });
  }
  // UTF-16 without a byte order mark has zero bytes.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new Error(" is not UTF-8: save it as UTF-8");
  return new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
}

/** Parses variables without blank lines, comments and indentation, which some releases of Node add to the next name. */
function variablesOf(text: string): NodeJS.Dict<string> {
  const found: string[] = [];
  const rest = text.replace(VARIABLE, (whole, name: string, value: string) => {
    found.push(`${name}=${value}`);
    return whole.replace(/[^\n]/g, "");
  });
  const lines = rest.split("\n");
  const wrong = lines.findIndex((line) => !/^\s*(?:#|$)/.test(line));
  if (wrong === -1) return parseEnv(found.join("\n"));
  // The message omits the line, which may contain a password.
  const isQuoted = /=\s*["'`]/.test(lines[wrong] ?? "");
  const mistake = isQuoted
    ? "has an unclosed quotation mark, or text after it"
    : "is not NAME=value";
  throw new Error(`:${wrong + 1} ${mistake}`);
}
