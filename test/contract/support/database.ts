import { join } from "node:path";
import { inject } from "vitest";
import { makeSchema, schemaUrl } from "../../support/postgres-schema.js";

/** Which database the services of this run keep their entities in; the project of vitest says so. */
export const DATABASE = process.env["TEST_DATABASE"] === "postgres" ? "postgres" : "sqlite";

const urls = new Map<string, string>();

/** The database of the services that run in a folder; always the same one for the same folder. */
export function databaseUrl(folder: string): string {
  if (DATABASE === "sqlite") return `sqlite:${join(folder, "data/workshop.db")}`;
  const url = urls.get(folder) ?? schemaUrl(inject("postgresUrl"));
  urls.set(folder, url);
  return url;
}

/** Makes what a service does not make by itself: a folder it makes, a schema it does not. */
export async function makeDatabase(url: string): Promise<void> {
  if (url.startsWith("postgres:")) await makeSchema(url);
}
