import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ResourceModel } from "../model/service-model.js";
import { conditionsCode } from "./conditions-code.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { objectCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/representation.ts.hbs` sees. */
export interface RepresentationView extends HeaderView, ResourceNamesView {
  /** The plural of what is represented. */
  readonly original: TsCode;
  readonly isConditional: boolean;
  readonly conditions: TsCode;
  readonly isRenaming: boolean;
  readonly names: TsCode;
}

/** Which objects a representation shows (REP-7). */
export function representationView(resource: ResourceModel): RepresentationView {
  const { name, entity } = resource;
  const before = `export const ${name.singular}Conditions: readonly Condition[] = `;
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    original: word(entity.plural),
    isConditional: isConditional(resource),
    conditions: conditionsCode(conditionsOf(resource), { before, after: ";" }),
    isRenaming: isRenaming(resource),
    names: objectCode(
      renamedOf(resource).map(
        ({ name: own, storedPath }) => ts`${key(storedPath)}: ${literal(own)}`,
      ),
      { before: `export const ${name.singular}Names = `, after: ";" },
    ),
  };
}

/** Says whether a resource shows only some of the objects of another. */
export function isConditional(resource: ResourceModel): boolean {
  return conditionsOf(resource).length > 0;
}

/** Says whether a unique property of the original has another name here. */
export function isRenaming(resource: ResourceModel): boolean {
  return renamedOf(resource).length > 0;
}

function renamedOf({ properties }: ResourceModel): PropertyModel[] {
  return properties.filter(({ unique, name, storedPath }) => unique && name !== storedPath);
}

function conditionsOf({ represents }: ResourceModel) {
  return represents?.conditions ?? [];
}
