import type { Conversion } from "./conversion.js";

/** The same conversion for a value that may be null. */
export function orNull<Stored, Shown>({
  toShown,
  toStored,
}: Conversion<Stored, Shown>): Conversion<Stored | null, Shown | null> {
  return {
    toShown: (stored) => (stored === null ? null : toShown(stored)),
    toStored: (sent, stored) => (sent === null ? null : toStored(sent, stored)),
  };
}
