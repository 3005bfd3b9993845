/**
 * A value with `itself` in place of each reference that leads to it; `steps` lead from the value to the references,
 * through objects and lists. An entity that refers to itself shows what it holds now (REP-4).
 */
export function withItself<T>(
  value: T,
  steps: readonly string[],
  idProperty: string,
  itself: object,
): T {
  // Every value keeps its shape: only a reference is replaced, by one of the same type.
  return replaced(value, steps, idProperty, itself) as T;
}

function replaced(
  value: unknown,
  steps: readonly string[],
  idProperty: string,
  itself: object,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => replaced(item, steps, idProperty, itself));
  }
  if (typeof value !== "object" || value === null) return value;
  const [step, ...rest] = steps;
  if (step === undefined) {
    return Reflect.get(value, idProperty) === Reflect.get(itself, idProperty) ? itself : value;
  }
  return { ...value, [step]: replaced(Reflect.get(value, step), rest, idProperty, itself) };
}
