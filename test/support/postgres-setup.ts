import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres-server.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server that all tests of a project share. */
    readonly postgresUrl: string;
  }
}

/** Starts the server before the first test of a project; what it returns ends it after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ fsync: "off" });
  project.provide("postgresUrl", server.url);
  return () => server.remove();
}
