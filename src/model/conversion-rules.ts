import type { PropertyModel } from "../kinds/property-model.js";
import { renamedValues, type ConvertedProperties } from "../validate/object-step.js";
import type { ConversionRule } from "./conversion-model.js";

/** The properties of an object in two versions. */
interface Sides {
  readonly older: readonly PropertyModel[];
  readonly newer: readonly PropertyModel[];
}

/** How the words of a schema convert properties (VER-2); null: custom code does. `checkConversionWords` has found them right. */
export function conversionRules(
  { newer: names, words }: ConvertedProperties,
  { older, newer }: Sides,
): readonly ConversionRule[] | null {
  const rules = names.map((to, index): ConversionRule | null => {
    const said = words[index] ?? null;
    if (said === null) return null;
    const { from, unit } = said;
    const is = newer.find(({ name }) => name === to)?.type;
    if (unit !== undefined && is?.kind === "decimal")
      return { kind: "unit", from, to, unit, scale: is.scale };
    const was = older.find(({ name }) => name === from)?.type;
    const values = was?.kind === "enum" ? renamedValues(was.values, said) : {};
    return { kind: "values", from, to, values };
  });
  const whole = rules.filter((rule) => rule !== null);
  return whole.length === names.length ? whole : null;
}
