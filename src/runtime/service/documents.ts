import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { StartRefusal } from "../base/errors.js";
import { JSON_CONTENT_TYPE } from "../http/answers.js";
import { KeptBody } from "../http/compression.js";
import type { HttpRoute } from "../http/http.js";
import { servedVersions, type ServiceSettings, type VersionSettings } from "../http/settings.js";
import { keptRoute } from "./kept-route.js";

/**
 * VER-5: the OpenAPI document of each version, read when it is first asked for; its servers are behind `prefix`, the path
 * that `BASE_URL` has in front of the service's own. Throws `StartRefusal` where a document is missing.
 */
export async function documentRoutes(
  settings: ServiceSettings,
  prefix = "",
): Promise<readonly HttpRoute[]> {
  const routes = servedVersions(settings.versions).map(async (version) => {
    await checkDocument(version);
    return keptRoute(documentPath(settings, version), async () =>
      readDocument(version, prefix, settings.pretty),
    );
  });
  return Promise.all(routes);
}

/** Where the document of a version is. */
export function documentPath({ basePath }: ServiceSettings, { name }: VersionSettings): string {
  return `${basePath}/${name}/openapi.json`;
}

async function checkDocument({ name, document }: VersionSettings): Promise<void> {
  try {
    await access(document, constants.R_OK);
  } catch (cause) {
    const file = typeof document === "string" ? document : fileURLToPath(document);
    throw new StartRefusal(`The OpenAPI document of ${name} cannot be read: ${file}.`, { cause });
  }
}

/** The file may be laid out in another way than answers are (REP-5), and knows no `BASE_URL`. */
async function readDocument(
  version: VersionSettings,
  prefix: string,
  pretty: boolean,
): Promise<KeptBody> {
  // What the generator wrote is an object that names its servers.
  const document = JSON.parse(await readFile(version.document, "utf8")) as ServedDocument;
  const servers = document.servers.map((server) => ({ ...server, url: prefix + server.url }));
  const text = JSON.stringify({ ...document, servers }, null, pretty ? 2 : 0);
  return new KeptBody(text, { "content-type": JSON_CONTENT_TYPE });
}

interface ServedDocument {
  readonly servers: readonly { readonly url: string }[];
}
