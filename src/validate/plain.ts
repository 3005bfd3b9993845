/** A mapping of YAML, before anything is known of its keys. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The value as a mapping; an empty one when it is none. */
export function mapping(value: unknown): Mapping {
  return isMapping(value) ? value : {};
}

/** Says whether a value is a mapping. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands under a key that the mapping itself has; undefined else, also for `toString`. */
export function own(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
