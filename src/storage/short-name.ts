import { sha256 } from "../files/hash.js";

/** PostgreSQL cuts a name at 63 bytes: a longer one ends in a hash, so that no two are the same. */
export function shortName(name: string, most = 63): string {
  if (name.length <= most) return name;
  return `${name.slice(0, most - 11)}_${sha256(name).slice(0, 10)}`;
}
