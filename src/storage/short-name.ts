import { sha256 } from "../files/hash.js";

/** PostgreSQL cuts a name at 63 bytes: a longer one ends in a hash, so that no two are the same. */
export function shortName(name: string): string {
  if (name.length <= 63) return name;
  return `${name.slice(0, 52)}_${sha256(name).slice(0, 10)}`;
}
