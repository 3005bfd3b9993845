import type { PropertyModel } from "../kinds/property-model.js";
import { renamedValues, type ConvertedProperties } from "../validate/object-step.js";
import type { ConversionRule } from "./conversion-model.js";

/** How the words of a schema convert properties (VER-2); null: custom code does. `checkConversionWords` has found them right. */
export function conversionRules(
  { newer: names, words }: ConvertedProperties,
  older: readonly PropertyModel[],
  newer: readonly PropertyModel[],
): readonly ConversionRule[] | null {
  const rules = names.flatMap((to): ConversionRule[] => {
    const said = words.get(to);
    const is = newer.find(({ name }) => name === to);
    const was = older.find(({ name }) => name === said?.from);
    if (said === undefined || is === undefined || was === undefined) return [];
    const rule = { from: was.name, to, isNullable: is.nullable };
    if (is.type.kind === "decimal") return [{ ...rule, kind: "unit", scale: is.type.scale }];
    const values = was.type.kind === "enum" ? renamedValues(was.type.values, said) : {};
    return [{ ...rule, kind: "values", values }];
  });
  return rules.length === names.length ? rules : null;
}
