/** A YAML mapping with unknown keys. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The value as a mapping; empty if it is not one. */
export function mapping(value: unknown): Mapping {
  return isMapping(value) ? value : {};
}

/** Says whether a value is a mapping. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of the mapping's own key; undefined otherwise, also for inherited names such as `toString`. */
export function own(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
