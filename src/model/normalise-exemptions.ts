import { longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import type { OperationsYaml } from "../validate/resource-document.js";

/** A name that need not follow a naming rule, and why (`exempt`). */
export interface ExemptionModel {
  readonly rule: string;
  /** `orders`, or the path of a property: `parts.history`. */
  readonly name: string;
  readonly reason: string;
}

type PropertiesYaml = Readonly<Record<string, PropertyYaml>>;

/** The exemptions of a file: of the resource first, then of its properties in schema order. */
export function normaliseExemptions(
  { resource, exempt = {} }: OperationsYaml,
  properties: PropertiesYaml,
): readonly ExemptionModel[] {
  return [...exemptions(resource, exempt), ...ofProperties(properties, "")];
}

function ofProperties(properties: PropertiesYaml, prefix: string): readonly ExemptionModel[] {
  return Object.entries(properties).flatMap(([name, short]) => {
    const yaml = longForm(short);
    const path = prefix + name;
    const items = yaml.items === undefined ? {} : longForm(yaml.items);
    return [
      ...exemptions(path, yaml.exempt ?? {}),
      ...ofProperties({ ...yaml.properties, ...items.properties }, `${path}.`),
    ];
  });
}

function exemptions(
  name: string,
  exempt: Readonly<Record<string, string>>,
): readonly ExemptionModel[] {
  return Object.entries(exempt).map(([rule, reason]) => ({ rule, name, reason }));
}
