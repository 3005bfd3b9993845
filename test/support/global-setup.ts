import type { TestProject } from "vitest/node";
import { generateService } from "./generated-services.js";
import { FIXTURES, serviceFolder } from "./service-folders.js";
import { bundleServiceMain, transpileService } from "./transpile.js";
import { startPostgres } from "./postgres-server.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server that all tests share. */
    readonly postgresUrl: string;
  }
}

/** Runs once, before the first test; what it returns, after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ fsync: "off" });
  project.provide("postgresUrl", server.url);
  for (const fixture of FIXTURES) {
    await generateService(fixture);
    await transpileService(serviceFolder(fixture));
  }
  await bundleServiceMain();
  return () => server.remove();
}
