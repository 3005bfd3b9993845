import {
  entityNotFound,
  methodNotAllowed,
  notImplemented,
  pathNotFound,
  versionNotFound,
  versionRetired,
  type ApiError,
} from "../base/errors.js";
import { suggestion } from "../base/texts.js";
import type { HttpRoute } from "./http.js";
import { servedVersions, type ServiceSettings } from "./settings.js";

/** Where people read and try the API. */
export const DOCS_PATH = "/docs";

/** So many resources a refusal names. */
const MOST_NAMED = 8;

/** Methods that HTTP itself defines; others are not implemented anywhere. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
]);

/** Says why a request reaches no handler. */
export class RouteTable {
  private readonly paths = new Map<string, HttpRoute>();
  private readonly entities = new Map<string, HttpRoute>();
  /** By what follows the identifier, and what stands before it. */
  private readonly nested: HttpRoute[] = [];

  constructor(
    routes: readonly HttpRoute[],
    private readonly settings: ServiceSettings,
  ) {
    for (const route of routes) {
      if (route.rest !== "") this.nested.push(route);
      else (route.entityType === null ? this.paths : this.entities).set(route.path, route);
    }
  }

  /** The refusal of a request that no route takes: 404, 405 with `Allow`, or 501. */
  refusal(method: string, target: string, requestId: string): ApiError {
    const path = pathOf(target);
    const route = this.find(path);
    if (route === undefined) return this.notFound(path);
    const allowed = allowedMethods(route);
    if (!KNOWN_METHODS.has(method)) return notImplemented(method, allowed, requestId);
    if (!allowed.includes(method)) {
      return methodNotAllowed(method, allowed, this.elsewhere(method, path));
    }
    // Only an identifier that cannot be decoded leads here.
    const end = path.length - route.rest.length;
    return entityNotFound(route.entityType ?? "", path.slice(route.path.length + 1, end));
  }

  private find(path: string): HttpRoute | undefined {
    const end = path.lastIndexOf("/");
    const hasIdentifier = end > 0 && end < path.length - 1;
    return (
      this.paths.get(path) ??
      (hasIdentifier ? this.entities.get(path.slice(0, end)) : undefined) ??
      this.nested.find((route) => isUnder(path, route))
    );
  }

  /** VER-1: under the base path the first segment is a version that is served; VER-4: or one that was. */
  private notFound(path: string): ApiError {
    const { basePath, versions } = this.settings;
    const served = servedVersions(versions).map(({ name }) => name);
    if (path !== basePath && !path.startsWith(`${basePath}/`)) {
      const roots = served.map((version) => `${basePath}/${version}/`);
      const below = path === "/" ? roots.flatMap((root) => this.collectionsBelow(root)) : [];
      const places = below.length === 0 ? `below ${roots.join(", ")}` : listed(below);
      return pathNotFound(path, `; the resources are ${places}, and ${DOCS_PATH} shows them.`);
    }
    const [version = "", name = ""] = path.slice(basePath.length + 1).split("/");
    const isKnown = versions.some(({ name: known }) => known === version);
    if (isKnown && !served.includes(version)) return versionRetired(version, served);
    if (!served.includes(version)) return versionNotFound(served);
    const root = `${basePath}/${version}/`;
    if (name === "") {
      return pathNotFound(path, `; the resources are ${listed(this.collectionsBelow(root))}.`);
    }
    const names = this.namesBelow(root);
    return pathNotFound(path, names.includes(name) ? "." : suggestion(name, names) || ".");
  }

  /** The resources of a version: `orders`, and what else stands directly below it. */
  private namesBelow(root: string): readonly string[] {
    const below = [...this.paths.keys()].filter((path) => path.startsWith(root));
    return below.map((path) => path.slice(root.length)).filter((name) => !name.includes("/"));
  }

  private collectionsBelow(root: string): readonly string[] {
    const names = this.namesBelow(root).filter((name) => !name.includes("."));
    return names.map((name) => root + name);
  }

  /** What a refusal ends in: where a child's entities are created, for whoever tries it at the root (CHD-1). */
  private elsewhere(method: string, path: string): string {
    const last = path.slice(path.lastIndexOf("/"));
    const route = this.nested.find(({ rest, handlers }) => rest === last && "POST" in handlers);
    if (method !== "POST" || route === undefined) return ".";
    return `; POST ${route.path}/<identifier>${last} is.`;
  }
}

function listed(places: readonly string[]): string {
  const rest = places.length - MOST_NAMED;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return places.slice(0, MOST_NAMED).join(", ") + more;
}

/** Says whether a path is a route's with some identifier in it. */
function isUnder(path: string, route: HttpRoute): boolean {
  if (!path.startsWith(`${route.path}/`) || !path.endsWith(route.rest)) return false;
  const identifier = path.slice(route.path.length + 1, path.length - route.rest.length);
  return identifier !== "" && !identifier.includes("/");
}

/** What `Allow` says of a route: its own methods, HEAD beside GET, and OPTIONS (OPS-9). */
export function allowedMethods({ handlers }: HttpRoute): readonly string[] {
  const own = Object.keys(handlers);
  return [...own, ...(handlers.GET === undefined ? [] : ["HEAD"]), "OPTIONS"].sort();
}

/** The path of a request target, as it was sent. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}
