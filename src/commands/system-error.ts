/** True for an error of the operating system: no permission, a full disk. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code);
}
