import { placeIn, withValueAt } from "./at-path.js";
import type { JsonBody } from "./client.js";
import type { Need, ResourceFacts } from "./resource-facts.js";
import { NOBODY } from "./suite.js";

/** A body with a reference to what does not exist, or with a whole list of those, and the field that is refused (REP-4). */
export function withLostReference(
  valid: JsonBody,
  { property, items }: Pick<Need, "property" | "items">,
  { idProperty }: ResourceFacts,
): { readonly body: JsonBody; readonly field: string } {
  const lost = { [idProperty]: NOBODY };
  const value = items === undefined ? lost : Array.from({ length: items }, () => lost);
  const body = withValueAt(valid, property, value);
  const place = placeIn(body, property);
  return { body, field: `${items === undefined ? place : `${place}[0]`}.${idProperty}` };
}
