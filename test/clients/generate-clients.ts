import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import { SERVICES } from "../support/service-folders.js";
import { emittedText } from "../support/projects.js";

/** Where the clients of all projects stand, for the sessions to import. */
export const CLIENTS = join(SERVICES, "clients");

/** Makes both clients of a project's service from its OpenAPI document: `schema.ts` and the folder `hey-api`. */
export async function generateClients(project: string): Promise<void> {
  const folder = join(CLIENTS, project);
  mkdirSync(folder, { recursive: true });
  const document = join(folder, "openapi.json");
  const text = await emittedText(project, "openapi/v1.json");
  writeFileSync(document, text);
  // By default it takes what has a default for something that has to be sent.
  const types = await openapiTypescript(text, { defaultNonNullable: false });
  writeFileSync(join(folder, "schema.ts"), astToString(types));
  await createClient({
    input: document,
    output: { path: join(folder, "hey-api"), module: { extension: ".js" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
}
