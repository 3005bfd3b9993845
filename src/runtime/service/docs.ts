import fastify, { type FastifyInstance } from "fastify";
import type * as Swagger from "@fastify/swagger";
import type * as SwaggerUi from "@fastify/swagger-ui";

import { htmlText } from "../base/html-text.js";
import { loadOwn } from "../base/own-packages.js";
import { KeptBody } from "../http/compression.js";
import { collection, okKept, type Handler, type HttpReply, type HttpRoute } from "../http/http.js";
import { DOCS_PATH } from "../http/route-table.js";
import { servedVersions, type ServiceSettings, type VersionSettings } from "../http/settings.js";
import { documentFile, documentPath } from "./documents.js";
import { onceLoaded } from "./once-loaded.js";

const STYLE = `
.swagger-ui .topbar .link { display: none; }
.swagger-ui .scheme-container .schemes-server-container { display: none; }
.swagger-ui .scheme-container:not(:has(.auth-wrapper)) { display: none; }
`;

const NO_CHOICE = ".swagger-ui .topbar { display: none; }\n";

/** The style of /docs on top of Swagger's: no choice is offered where there is only one version, or server. */
function docsStyle(versions: number): string {
  return versions > 1 ? STYLE : STYLE + NO_CHOICE;
}

/** All that the page consists of, with and without a slash at its end. */
const PAGE_PATHS = [
  DOCS_PATH,
  `${DOCS_PATH}/`,
  ...[
    "favicon-16x16.png",
    "favicon-32x32.png",
    "index.css",
    "oauth2-redirect.html",
    "oauth2-redirect.js",
    "swagger-initializer.js",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-ui.css",
    "theme/docs.css",
  ].map((file) => `${DOCS_PATH}/static/${file}`),
];

/** Of the one inline style that the page has: two colours in a logo that is not shown. */
const LOGO_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

/** Everything from the service itself: the page works offline, and runs no script from anywhere else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${LOGO_STYLE}`,
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join("; ");

/** Asked again each time, and sent again where it is another. */
const CACHE_CONTROL = "public, max-age=0";

/**
 * The page and its files, loaded when one of them is first asked for, and kept: an answer costs no more than one of the
 * API. `prefix` is the path that `BASE_URL` has in front of the service's own.
 */
export function pageRoutes(settings: ServiceSettings, prefix: string): readonly HttpRoute[] {
  const [first] = servedVersions(settings.versions);
  if (first === undefined) return [];
  const load = onceLoaded(async () => loadPage(settings, first, prefix));
  return PAGE_PATHS.map((path) => {
    const GET: Handler = () => {
      const page = load();
      const reply = (loaded: Page): HttpReply => okKept(bodyOf(loaded, path));
      return page instanceof Promise ? page.then(reply) : reply(page);
    };
    return { ...collection(path, { GET }), isPage: true };
  });
}

/** By path. */
type Page = ReadonlyMap<string, KeptBody>;

async function loadPage(
  settings: ServiceSettings,
  first: VersionSettings,
  prefix: string,
): Promise<Page> {
  const page = await openPage(settings, first, prefix);
  const bodies = new Map<string, KeptBody>();
  for (const path of PAGE_PATHS) bodies.set(path, await loadFile(page, path));
  await page.close();
  return bodies;
}

function bodyOf(page: Page, path: string): KeptBody {
  const body = page.get(path);
  if (body === undefined) throw new Error(`The page has no ${path}.`);
  return body;
}

/** The packages serve the page by a server of their own, which is asked without a connection. */
async function openPage(
  settings: ServiceSettings,
  first: VersionSettings,
  prefix: string,
): Promise<FastifyInstance> {
  const page = fastify();
  const swagger = loadOwn<typeof Swagger>("@fastify/swagger");
  const swaggerUi = loadOwn<typeof SwaggerUi>("@fastify/swagger-ui");
  const urls = servedVersions(settings.versions).map((version) => ({
    url: prefix + documentPath(settings, version),
    name: `${settings.title} ${version.name}`,
  }));
  const specification = { path: documentFile(first), baseDir: "" };
  await page.register(swagger.default, { mode: "static", specification });
  await page.register(swaggerUi.default, {
    routePrefix: DOCS_PATH,
    // The package puts both of them into its HTML as they are.
    indexPrefix: htmlText(prefix),
    theme: {
      title: htmlText(settings.title),
      css: [{ filename: "docs.css", content: docsStyle(urls.length) }],
    },
    uiConfig: { urls, docExpansion: "list" },
  });
  return page;
}

async function loadFile(page: FastifyInstance, path: string): Promise<KeptBody> {
  const { statusCode, headers, rawPayload } = await page.inject({ method: "GET", url: path });
  if (statusCode !== 200) throw new Error(`${path} cannot be loaded: ${statusCode}.`);
  return new KeptBody(rawPayload, {
    "content-type": String(headers["content-type"]),
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cache-control": CACHE_CONTROL,
  });
}
