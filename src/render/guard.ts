import { InternalError } from "../diagnostics/internal-error.js";

/**
 * Checks the whole view and returns it: null and undefined would print as nothing, so they are an `InternalError`.
 * Names that a view does not have are found earlier: by strict templates and, in `{{#if typo}}`, by test/architecture.
 */
export function guard<T extends object>(view: T, template: string): T {
  for (const [name, value] of Object.entries(view)) {
    if (value === null || value === undefined) {
      throw new InternalError(`${template}: the view has no "${name}"`);
    }
    if (typeof value === "object") guard(value, template);
  }
  return view;
}
