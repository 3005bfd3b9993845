import type { ApiError } from "#runtime/base/errors";
import type { EntityHooks } from "#runtime/entity/hooks";
import { compiledModule } from "../../support/compiled-module.js";
import type { Json } from "./client.js";
import { serviceRuntime } from "../../support/runtime.js";

/** A property's values, as the service's own code sees them. */
export type Values = Record<string, Json>;

/** Hooks of any resource: the generated types are not known here. */
export type Hooks = EntityHooks<Values, Values>;

/** The hooks of services as they were written, by the object that a test may change. */
const written = new Map<Hooks, Hooks>();

/** Takes away whatever a test has set on hooks. */
export function restoreHooks(): void {
  for (const [hooks, own] of written) {
    for (const name of Object.keys(hooks)) Reflect.deleteProperty(hooks, name);
    Object.assign(hooks, own);
  }
}

/** The hooks object of `src/custom/<resource>.ts`; what a test sets on it is gone after the test. */
export async function customCode(resource: string, fixture = "contract"): Promise<Hooks> {
  const path = `custom/${resource}`;
  const module = await compiledModule<Record<string, Hooks>>(fixture, path);
  const hooks = module[resource];
  if (hooks === undefined) throw new Error(`${path} exports no ${resource}`);
  if (!written.has(hooks)) written.set(hooks, { ...hooks });
  return hooks;
}

/** The class that the service's own code throws; there is one for each time that the runtime is loaded. */
export async function apiErrorClass(fixture = "contract"): Promise<typeof ApiError> {
  return (await serviceRuntime<{ ApiError: typeof ApiError }>(fixture, "base/errors")).ApiError;
}

/** What the service's own code calls of the runtime: a function without arguments, by its file and name. */
export async function runtimeExport(file: string, name: string): Promise<() => Error> {
  const module = await serviceRuntime<Record<string, () => Error>>("contract", file);
  const found = module[name];
  if (found === undefined) throw new Error(`${file} exports no ${name}`);
  return found;
}
