import { basename } from "node:path";

import { StartRefusal } from "../base/errors.js";
import type { ServiceRegistry } from "../http/settings.js";
import { readEnvironment, type Environment } from "../service/environment.js";
import { deleteSqlite, deleteTables } from "../store/deletion.js";
import { isPostgresUrl, openDatabase, sqlitePath } from "../store/open-database.js";
import { MEMORY } from "../store/sqlite/sqlite.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** Deletes the database of a service in development if its name is given, and prints the deleted files or tables. */
export async function resetDatabase(
  registry: ServiceRegistry,
  given: readonly string[],
  environment: Variables,
): Promise<void> {
  try {
    process.stdout.write(`${await reset(registry, given, environment)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function reset(
  registry: ServiceRegistry,
  given: readonly string[],
  variables: Variables,
): Promise<string> {
  if (variables["NODE_ENV"] === "production") {
    throw new StartRefusal("NODE_ENV is production, and db:reset is for development only.");
  }
  const environment = readEnvironment(variables, registry.settings.service);
  return isPostgresUrl(environment.databaseUrl)
    ? resetPostgres(registry, given, environment)
    : resetSqlite(given, sqlitePath(environment.databaseUrl));
}

async function resetSqlite(given: readonly string[], path: string): Promise<string> {
  if (path === MEMORY) {
    throw new StartRefusal("The database is in memory: it is gone when the service stops.");
  }
  refuseOtherName(given, basename(path));
  const deleted = await deleteSqlite(path);
  if (deleted.length === 0) return `There is no database ${path}: nothing was deleted.`;
  return `Deleted ${deleted.join(", ")}. The next start makes a new database.`;
}

async function resetPostgres(
  { settings, migrations }: ServiceRegistry,
  given: readonly string[],
  { databaseUrl: url, databaseConnections: connections }: Environment,
): Promise<string> {
  const { service: name, limits } = settings;
  const { requestSeconds } = limits;
  const database = await openDatabase({ url, connections, requestSeconds, name });
  try {
    refuseOtherName(given, database.name);
    const { deleted, left } = await deleteTables(database, migrations);
    const others =
      left.length === 0 ? "" : ` Tables of other programs were left: ${left.join(", ")}.`;
    return deleted.length === 0
      ? `The database ${database.name} has no tables of ${name}: nothing was deleted.${others}`
      : `Deleted from the database ${database.name}: ${deleted.join(", ")}.${others} The next start creates them again.`;
  } finally {
    await database.close();
  }
}

function refuseOtherName(given: readonly string[], name: string): void {
  const [first, ...others] = given;
  if (first === name && others.length === 0) return;
  const what =
    first === undefined || others.length > 0
      ? "It deletes a database and everything in it, and asks for its name"
      : `The database is called ${name}, and not ${first}`;
  throw new StartRefusal(`${what}: npm run db:reset -- ${name}`);
}
