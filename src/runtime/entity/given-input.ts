import type { JsonObject } from "../input/json.js";
import { withIdentifiers } from "./reference-paths.js";
import type { References } from "./references.js";

/** What own code sends to an action, with nothing in its references but identifiers: it may have given whole entities (REP-4). */
export function givenInput(
  { references }: { readonly references?: References },
  input: object | undefined,
): object | undefined {
  if (references === undefined || input === undefined) return input;
  // Whether its values are those of JSON is what the readers find out.
  return withIdentifiers(input as JsonObject, references);
}
