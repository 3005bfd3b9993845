import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ProjectedProperty } from "../model/projection.js";
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
    original: word(entity.name.plural),
    isConditional: isConditional(resource),
    conditions: conditionsCode(resource.conditions, { before, after: ";" }),
    isRenaming: isRenaming(resource),
    names: objectCode(
      renamedOf(resource).map(
        ({ property, storedPath }) => ts`${key(storedPath)}: ${literal(property)}`,
      ),
      { before: `export const ${name.singular}Names = `, after: ";" },
    ),
  };
}

/** Says whether a resource shows only some of the objects of another. */
export function isConditional({ conditions }: ResourceModel): boolean {
  return conditions.length > 0;
}

/** Says whether a unique property of the original has another name here. */
export function isRenaming(resource: ResourceModel): boolean {
  return renamedOf(resource).length > 0;
}

function renamedOf({ properties, projection }: ResourceModel): ProjectedProperty[] {
  const unique = new Set(properties.flatMap((one) => (one.unique ? [one.name] : [])));
  return projection.filter(
    ({ property, storedPath }) => unique.has(property) && property !== storedPath,
  );
}
