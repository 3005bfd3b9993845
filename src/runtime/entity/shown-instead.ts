import type { VersionConversion } from "./conversion.js";

/** An enum of which some values are shown as others; what is sent back as it was shown changes nothing. */
export function shownInstead<Stored extends string, Shown extends Stored>(
  instead: Readonly<Record<Exclude<Stored, Shown>, Shown>>,
): VersionConversion<Stored, Shown> {
  const others = new Map<string, Shown>(Object.entries<Shown>(instead));
  // A value without another one to be shown is one of those that can be shown.
  const toShown = (stored: Stored): Shown => others.get(stored) ?? (stored as Shown);
  return {
    toShown,
    toStored: (sent, stored) => (stored !== null && toShown(stored) === sent ? stored : sent),
  };
}
