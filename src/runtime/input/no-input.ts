import { BodyInput } from "./body-input.js";
import type { JsonObject } from "./json.js";

const NO_NAMES: ReadonlySet<string> = new Set();

/** Reads the body of an action without an input: it holds nothing (OPS-8, OPS-11). */
export function noInput(body: JsonObject): null {
  const input = new BodyInput(body);
  input.refuseUnknown(NO_NAMES);
  return input.finish(null);
}
