import type { FastifyBaseLogger } from "fastify";

import type { HttpRoute } from "./http.js";
import type { ServiceSettings } from "./settings.js";
import { isBelow } from "./version-use.js";

const RETIRED = "a route of src/app.ts is below a retired version, and returns 410";

/** VER-4: a route of the service's own goes with the version in whose path it stands; the log tells of it. */
export function withoutRetired(
  routes: readonly HttpRoute[],
  { basePath, versions }: Pick<ServiceSettings, "basePath" | "versions">,
  logger: FastifyBaseLogger,
): readonly HttpRoute[] {
  const retired = versions.filter(({ status }) => status === "retired");
  return routes.filter(({ path }) => {
    const isGone = retired.some(({ name }) => isBelow(path, `${basePath}/${name}`));
    if (isGone) logger.warn({ path }, RETIRED);
    return !isGone;
  });
}
