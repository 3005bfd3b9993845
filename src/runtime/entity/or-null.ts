import type { VersionConversion } from "./conversion.js";

/** The same conversion for a value that may be null. */
export function orNull<Stored, Shown>({
  toShown,
  toStored,
}: VersionConversion<Stored, Shown>): VersionConversion<Stored | null, Shown | null> {
  return {
    toShown: (stored) => (stored === null ? null : toShown(stored)),
    toStored: (sent, stored) => (sent === null ? null : toStored(sent, stored)),
  };
}
