import type { VerifyFlags } from "./verify.js";

/** The URL of a command line, and the flags without it: a flag that takes several values has taken the URL behind them as well. */
export function withUrl(
  url: string | undefined,
  flags: VerifyFlags,
): { readonly url: string; readonly flags: VerifyFlags } | null {
  if (url !== undefined) return { url, flags };
  for (const name of ["token", "rule"] as const) {
    const values = flags[name] ?? [];
    const found = values.find(isUrl);
    const others = values.filter((value) => value !== found);
    // A flag is not left without a value.
    if (found !== undefined && others.length > 0) {
      return { url: found, flags: { ...flags, [name]: others } };
    }
  }
  return null;
}

/** Neither a token nor the identifier of a rule looks like that. */
function isUrl(value: string): boolean {
  return /^https?:\/\//i.test(value);
}
