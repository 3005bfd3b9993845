import { withJsonText } from "../load/edit-json.js";
import { UsageError } from "./usage-error.js";

/** What a newer generator asks of package.json, by section and key: dependencies, scripts. */
export type PackageSections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A package.json that was brought up to date. */
export interface UpgradedPackage {
  readonly text: string;
  /** What was changed, a line each: `dependencies: fastify 5.12.0 -> 5.12.8`. */
  readonly changed: readonly string[];
  /** What is the user's own and stays, though a new service has something else: `scripts.test`. */
  readonly kept: readonly string[];
}

/** Sections in which one package may stand as well as in another. */
const PACKAGES = ["dependencies", "devDependencies", "optionalDependencies"];

/**
 * Adds what a newer generator needs and raises exact versions that are lower; whatever else the user wrote stays, to the byte.
 */
export function upgradePackage(text: string, wanted: PackageSections): UpgradedPackage {
  const changed: string[] = [];
  const kept: string[] = [];
  let now = text;
  for (const [section, entries] of Object.entries(wanted)) {
    for (const [key, value] of Object.entries(entries)) {
      const present = presentValue(now, section, key);
      if (present?.value === value) continue;
      if (present !== null && !isRaised(present.value, value)) {
        kept.push(`${present.section}.${key}: ${present.value} (a new service has ${value})`);
        continue;
      }
      const place = present?.section ?? section;
      const edited = withJsonText(now, place, { key, value });
      if (edited === null) continue;
      now = edited;
      changed.push(`${place}: ${key} ${present === null ? "" : `${present.value} -> `}${value}`);
    }
  }
  return { text: now, changed, kept };
}

/** The value of a key in its section, or of a package in another section of packages; null: it is missing. */
function presentValue(
  text: string,
  section: string,
  key: string,
): { readonly section: string; readonly value: string } | null {
  const json = parsed(text);
  const sections = PACKAGES.includes(section) ? [section, ...PACKAGES] : [section];
  for (const one of sections) {
    const value = memberOf(memberOf(json, one), key);
    if (value !== undefined) return { section: one, value: String(value) };
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`package.json cannot be read: ${reason}. Mend it first.`);
  }
}

/** A member of a JSON value; undefined where there is none. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** True when both are exact versions and the second one is higher, or both are archives. */
function isRaised(present: string, wanted: string): boolean {
  if (present.startsWith("file:") && wanted.startsWith("file:")) return true;
  const [one, other] = [numbers(present), numbers(wanted)];
  if (one === null || other === null) return false;
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

function numbers(version: string): readonly number[] | null {
  return /^\d+\.\d+\.\d+$/.test(version) ? version.split(".").map(Number) : null;
}

/** An archive of one of our packages in a service. */
export interface Archive {
  readonly name: string;
  /** `vendor/rulebound-runtime-0.1.0.tgz` */
  readonly path: string;
  /** As npm writes it: `sha512-` and the digest in Base64. */
  readonly integrity: string;
  readonly version: string;
}

/** The archive of a package that a service has; null: package.json does not ask for it there. */
export function vendoredArchive(packageText: string, name: string): string | null {
  const asked = askedVersion(packageText, name);
  return /^file:(?:\.\/)?(vendor\/[\w.+-]+\.tgz)$/.exec(asked ?? "")?.[1] ?? null;
}

/** What package.json asks for of a package; null: it does not. Throws `UsageError` for a text that is not JSON. */
export function askedVersion(packageText: string, name: string): string | null {
  return presentValue(packageText, "dependencies", name)?.value ?? null;
}

/** package-lock.json with another archive of a package: npm refuses one whose digest it does not know. */
export function withArchive(lockText: string, { name, path, integrity, version }: Archive): string {
  const lock = JSON.parse(lockText) as {
    packages?: Record<string, Record<string, unknown> | undefined>;
  };
  const installed = lock.packages?.[`node_modules/${name}`];
  const own = PACKAGES.map((section) => memberOf(lock.packages?.[""], section)).find(
    (section) => memberOf(section, name) !== undefined,
  );
  if (own === undefined || installed === undefined) return lockText;
  Object.assign(own as object, { [name]: `file:${path}` });
  Object.assign(installed, { version, resolved: `file:${path}`, integrity });
  const margin = /^\{\r?\n([ \t]+)"/.exec(lockText)?.[1] ?? "  ";
  return `${JSON.stringify(lock, null, margin)}\n`;
}
