import type { ResourceModel } from "../model/resource-model.js";
import type { JsonObject } from "../samples/json.js";
import type { Trial } from "./trial.js";

/** The check of one rule. */
export interface Check {
  readonly rule: string;
  readonly run: (trial: Trial) => Promise<void>;
}

/** The path of an entity. */
export function pathOf({ path, name }: ResourceModel, entity: JsonObject): string {
  return `${path}/${String(entity[name.idProperty])}`;
}

/** A query string of its parameters, with the question mark. */
export function query(...parameters: readonly (readonly [string, string | number])[]): string {
  const parts = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** Waits until the clock of the service, which counts milliseconds, has moved on. */
export async function moment(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A UUID that the service has never made. */
export const MISSING = "ffffffff-ffff-4fff-8fff-ffffffffffff";

/** Thrown when an entity that a check needs could not be created, so that the rule cannot be judged. */
export class CannotMake extends Error {
  override readonly name = "CannotMake";
}
