import type { Diagnostic } from "./diagnostic.js";

/** What a stage of the pipeline returns: its value with warnings, or every mistake that it found. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** A value, with the warnings found on the way to it. */
export function success<T>(value: T, diagnostics: readonly Diagnostic[] = []): Result<T> {
  return { ok: true, value, diagnostics };
}

/** No value: at least one of the diagnostics is an error. */
export function failure(diagnostics: readonly Diagnostic[]): Result<never> {
  return { ok: false, diagnostics };
}
