import type { PropertyModel } from "../kinds/property-model.js";
import type { StatesYaml } from "../validate/resource-document.js";
import type { StatesModel } from "./states-model.js";

/** The states in the order of their enum; what is not restricted is allowed in all of them. */
export function normaliseStates(
  yaml: StatesYaml | undefined,
  properties: readonly PropertyModel[],
): StatesModel | null {
  if (yaml === undefined) return null;
  const property = properties.find(({ name }) => name === yaml.property);
  const values = property?.type.kind === "enum" ? property.type.values : [];
  const initials = initialsOf(yaml);
  return {
    property: yaml.property,
    initial: initials[0] ?? "",
    initials,
    transitions: values.map((from) => ({ from, to: yaml.transitions[from] ?? [] })),
    updatableIn: yaml.updatableIn ?? values,
    deletableIn: yaml.deletableIn ?? values,
  };
}

/** An entity is always in a state, and begins in the first of its initial ones unless a create names another (STA-1). */
export function withState(property: PropertyModel, yaml: StatesYaml | undefined): PropertyModel {
  if (yaml === undefined || property.name !== yaml.property) return property;
  return { ...property, nullable: false, default: initialsOf(yaml)[0] ?? null };
}

function initialsOf({ initial }: StatesYaml): readonly string[] {
  return typeof initial === "string" ? [initial] : initial;
}
