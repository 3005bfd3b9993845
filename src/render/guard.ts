import { InternalError } from "../diagnostics/internal-error.js";

/**
 * The view, after a look at all that it holds: null and undefined would print as nothing, so they are an
 * `InternalError`. A template that asks for what no view has is found before: by the strict templates, and
 * under `{{#if typo}}` by test/architecture.
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
