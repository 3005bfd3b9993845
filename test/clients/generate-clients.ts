import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import { SERVICES } from "../support/service-folders.js";
import { emittedText } from "../support/projects.js";
import { readTree, writeTree } from "../support/read-tree.js";
import { emittedTexts, renderValid } from "../support/render-files.js";
import { transpileService } from "../support/transpile.js";

/** Where the clients of all projects stand, for the sessions to import. */
export const CLIENTS = join(SERVICES, "clients");

/** Makes the clients of a project's service: of its OpenAPI document `schema.ts` and the folder `hey-api`, and our own in `client/v1`. */
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
  await writeOwnClients(project, folder);
}

/** Compiles the clients of a project to JavaScript, as `client/<version>/dist` below the folder that it returns. */
export async function compiledClients(project: string, name: string): Promise<string> {
  const folder = join(SERVICES, "compiled-clients", name, project);
  await writeOwnClients(project, folder);
  for (const version of readdirSync(join(folder, "client"))) {
    await transpileService(join(folder, "client", version));
  }
  return folder;
}

async function writeOwnClients(project: string, folder: string): Promise<void> {
  const files = Object.entries(readTree(resolve(project)));
  const schemas = files.filter(([path]) =>
    /^(?:service\.yaml|(?:resources|contract)\/)/.test(path),
  );
  const texts = Object.fromEntries(schemas);
  const service = (texts["service.yaml"] ?? "").replace(/^client: true$/m, "");
  const emitted = emittedTexts(
    await renderValid({ ...texts, "service.yaml": `${service}\nclient: true\n` }),
  );
  const clients = Object.entries(emitted).filter(([path]) => path.startsWith("client/"));
  const below = clients.map(([path, text]) => [path.slice("client/".length), text] as const);
  writeTree(join(folder, "client"), Object.fromEntries(below));
}
