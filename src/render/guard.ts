import { InternalError } from "../diagnostics/internal-error.js";

/**
 * A view that throws an `InternalError` when a template asks for something that it does not have: `{{#if typo}}`
 * would be silently false, and null would print as nothing.
 */
export function guard<T extends object>(view: T, template: string): T {
  return new Proxy(view, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === "string" && (!(key in target) || value === null || value === undefined)) {
        throw new InternalError(`${template}: the view has no "${key}"`);
      }
      return typeof value === "object" && value !== null ? guard(value, template) : value;
    },
  });
}
