import type { Mistake } from "../diagnostics/diagnostic.js";
import type { Expected } from "./kind-keywords.js";
import { kindNamed } from "./kinds.js";
import { kindNameOf, longForm, type PropertyYaml } from "./property-yaml.js";

/** Why a part of a value is not one of the property that it stands for; null when it is one. */
export function partMistake(
  value: unknown,
  property: PropertyYaml,
  whole: Expected,
): Mistake | null {
  const yaml = longForm(property);
  const kind = kindNameOf(yaml);
  return kind === null ? null : kindNamed(kind).valueMistake(value, { ...whole, yaml });
}

/** The first mistake there is. */
export function firstMistake(mistakes: readonly (Mistake | null)[]): Mistake | null {
  return mistakes.find((found) => found !== null) ?? null;
}
