import { ts } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { ServiceModel } from "../model/service-model.js";
import type { Import } from "./layout.js";
import { operationsOf } from "./operations.js";

/** A part of the runtime that only some services have: where it comes from, and its entry in the registry. */
export type Part = Import & { readonly entry: TsCode };

/** The parts that a service has (AUT-1, LIM-2, OPS-12). */
export function partsOf({ authentication, corsOrigins, limits, versions }: ServiceModel): Part[] {
  const resources = versions.flatMap((version) => version.resources);
  const parts: readonly (Part & { readonly isNeeded: boolean })[] = [
    {
      isNeeded: authentication.scheme === "bearer",
      from: "@rulebound/runtime/internal/auth/bearer-authentication.js",
      names: ["BearerAuthentication"],
      entry: ts`bearer: BearerAuthentication`,
    },
    {
      isNeeded: limits.requestsPerMinute !== null,
      from: "@rulebound/runtime/internal/http/caller-limit.js",
      names: ["CallerLimit"],
      entry: ts`callerLimit: CallerLimit`,
    },
    {
      isNeeded: corsOrigins.length > 0,
      from: "@rulebound/runtime/internal/http/cors.js",
      names: ["crossOrigin"],
      entry: ts`cors: crossOrigin`,
    },
    {
      isNeeded: resources.some(
        (resource) => operationsOf(resource).creates || resource.actions.length > 0,
      ),
      from: "@rulebound/runtime/internal/http/idempotency.js",
      names: ["idempotency"],
      entry: ts`idempotency`,
    },
  ];
  return parts.filter(({ isNeeded }) => isNeeded);
}
