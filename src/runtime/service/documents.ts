import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { StartRefusal } from "../base/errors.js";
import { ownFolder } from "../base/package.js";
import { htmlText } from "../base/texts.js";
import { JSON_CONTENT_TYPE, KeptBody } from "../http/response.js";
import { type HttpRoute, DOCS_PATH, collection, okKept, type Handler } from "../http/routes.js";
import { servedVersions, type ServiceSettings, type VersionSettings } from "../http/settings.js";

/**
 * Creates the routes of the OpenAPI documents (VER-5). `prefix` is the path of `BASE_URL`, which precedes the server paths in
 * the documents. Throws `StartRefusal` if a document is missing.
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

function documentPath({ basePath }: ServiceSettings, { name }: VersionSettings): string {
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

/** Reads a document. Adapts its layout (REP-5) and its server URLs, because the file is written before both are known. */
async function readDocument(
  version: VersionSettings,
  prefix: string,
  pretty: boolean,
): Promise<KeptBody> {
  // The generator has written an object with servers.
  const document = JSON.parse(await readFile(version.document, "utf8")) as ServedDocument;
  const servers = document.servers.map((server) => ({ ...server, url: prefix + server.url }));
  const text = JSON.stringify({ ...document, servers }, null, pretty ? 2 : 0);
  return new KeptBody(text, { "content-type": JSON_CONTENT_TYPE });
}

interface ServedDocument {
  readonly servers: readonly { readonly url: string }[];
}

/** Styles in addition to Swagger UI's, which has its own colours for `dark-mode`. */
const STYLE = `
body { margin: 0; }
html:not(.dark-mode) body { background: #fafafa; }
.swagger-ui .topbar .link { display: none; }
.swagger-ui .scheme-container .schemes-server-container { display: none; }
.swagger-ui .scheme-container:not(:has(.auth-wrapper)) { display: none; }
`;
const NO_CHOICE = ".swagger-ui .topbar { display: none; }\n";

/** The hash of the page's only inline style: two colours of a logo that is hidden. */
const LOGO_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

const HEADERS = {
  // Clients revalidate on every use.
  "cache-control": "public, max-age=0",
  // Allows only resources of the service itself: the page works offline and runs no foreign scripts.
  "content-security-policy": [
    ...["default-src 'none'", "script-src 'self'", `style-src 'self' ${LOGO_STYLE}`],
    ...["img-src 'self' data:", "font-src 'self' data:", "connect-src 'self'", "base-uri 'self'"],
    ...["form-action 'self'", "frame-ancestors 'self'"],
  ].join("; "),
};
const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Creates the routes of Swagger UI for all versions. `prefix` is the path of `BASE_URL`. */
export function pageRoutes(settings: ServiceSettings, prefix: string): readonly HttpRoute[] {
  const versions = servedVersions(settings.versions);
  if (versions.length === 0) return [];
  const urls = versions.map((version) => ({
    url: prefix + documentPath(settings, version),
    name: `${settings.title} ${version.name}`,
  }));
  const html = page(settings.title, prefix + DOCS_PATH);
  return [
    pageRoute("", HTML, html),
    pageRoute("/", HTML, html),
    pageRoute("/static/docs.css", CSS, STYLE + (urls.length > 1 ? "" : NO_CHOICE)),
    pageRoute("/static/docs.js", SCRIPT, script(urls)),
    pageRoute("/static/swagger-ui.css", CSS),
    pageRoute("/static/swagger-ui-bundle.js", SCRIPT),
    pageRoute("/static/swagger-ui-standalone-preset.js", SCRIPT),
  ];
}

/** Creates the route of a file, with the given text, or with the file that the build has put into the package. */
function pageRoute(path: string, type: string, text?: string): HttpRoute {
  const read = async (): Promise<string> => text ?? readFile(join(ownFolder(), path), "utf8");
  const headers = { "content-type": type, ...HEADERS };
  const route = keptRoute(DOCS_PATH + path, async () => new KeptBody(await read(), headers));
  return { ...route, isPage: true };
}

function page(title: string, place: string): string {
  const files = htmlText(`${place}/static`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${htmlText(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${files}/swagger-ui.css">
    <link rel="stylesheet" href="${files}/docs.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${files}/swagger-ui-bundle.js"></script>
    <script src="${files}/swagger-ui-standalone-preset.js"></script>
    <script src="${files}/docs.js"></script>
  </body>
</html>
`;
}

function script(urls: readonly { readonly url: string; readonly name: string }[]): string {
  return `SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "list",
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
});
`;
}

/**
 * Creates a route whose body is loaded on the first request. Concurrent requests share one load, and a failed load is retried.
 * A loaded body is sent synchronously, so that admission measures its time (LIM-2).
 */
function keptRoute(path: string, load: () => Promise<KeptBody>): HttpRoute {
  let loaded: KeptBody | null = null;
  let loading: Promise<KeptBody> | null = null;
  const begin = async (): Promise<KeptBody> => {
    try {
      loaded = await load();
      return loaded;
    } finally {
      loading = null;
    }
  };
  const GET: Handler = () =>
    loaded === null ? (loading ??= begin()).then(okKept) : okKept(loaded);
  return collection(path, { GET });
}
