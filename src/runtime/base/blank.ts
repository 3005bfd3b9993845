/**
 * An object with these properties, each null. A copy of it keeps the engine's layout of objects, which one that grows by
 * computed names loses.
 */
export function blankOf(names: readonly string[]): Readonly<Record<string, unknown>> {
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  return JSON.parse(JSON.stringify(nulls)) as Record<string, null>;
}
