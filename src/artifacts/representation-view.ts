import type { TsCode } from "../naming/encoders.js";
import { word } from "../naming/code.js";
import type { ResourceModel } from "../model/service-model.js";
import { conditionsCode } from "./conditions-code.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/representation.ts.hbs` sees. */
export interface RepresentationView extends HeaderView, ResourceNamesView {
  /** The plural of what is represented. */
  readonly original: TsCode;
  readonly conditions: TsCode;
}

/** Which objects a representation shows (REP-7). */
export function representationView(resource: ResourceModel): RepresentationView {
  const { name, entity } = resource;
  const before = `export const ${name.singular}Conditions: readonly Condition[] = `;
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    original: word(entity.plural),
    conditions: conditionsCode(conditionsOf(resource), { before, after: ";" }),
  };
}

/** Says whether a resource shows only some of the objects of another. */
export function isConditional(resource: ResourceModel): boolean {
  return conditionsOf(resource).length > 0;
}

function conditionsOf({ represents }: ResourceModel) {
  return represents?.conditions ?? [];
}
