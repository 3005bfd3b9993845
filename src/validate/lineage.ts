import { objectStep, type ObjectStep, type PropertiesYaml } from "./object-step.js";
import type { ResourceYaml } from "./resource-document.js";

/** One version of a resource. */
export interface LineageVersion {
  readonly version: string;
  readonly value: ResourceYaml;
  /** What the resource calls the reference to its parent; null where it has none. */
  readonly parentProperty: string | null;
}

/** A resource through all versions that have it, the oldest first (VER-2). */
export interface Lineage {
  readonly versions: readonly LineageVersion[];
  /** From each version to the next. */
  readonly steps: readonly ObjectStep[];
}

/** How the versions of one resource follow from each other. */
export function lineageOf(versions: readonly LineageVersion[]): Lineage {
  const steps = versions.slice(1).map((newer, index) => {
    const older = versions[index] ?? newer;
    return objectStep(withParent(older), withParent(newer), {
      removed: newer.value.removed ?? {},
      isSame: newer.value.sameAs !== undefined,
      path: "",
      place: ["properties"],
    });
  });
  return { versions, steps };
}

/** The properties of a version, the reference to its parent among them, which need not be declared (CHD-2). */
export function withParent({ value, parentProperty }: LineageVersion): PropertiesYaml {
  const { properties, parent } = value;
  if (parentProperty === null || parent === undefined) return properties;
  const declared = properties[parentProperty];
  const own = typeof declared === "object" ? declared : {};
  const whole = { ...own, reference: parent, required: true };
  return declared === undefined
    ? { [parentProperty]: whole, ...properties }
    : { ...properties, [parentProperty]: whole };
}

/** Versions are ordered by their number: `v2` before `v10`. */
export function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}
