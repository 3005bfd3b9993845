import type { App } from "../service/app.js";

/** The tests are one caller, who sends more requests in a minute than another may. */
export function unlimited<Provided extends object, OwnContext extends object>({
  registry,
  definition,
}: App<Provided, OwnContext>): App<Provided, OwnContext> {
  const { settings } = registry;
  const limits = { ...settings.limits, requestsPerMinute: null };
  return { registry: { ...registry, settings: { ...settings, limits } }, definition };
}
