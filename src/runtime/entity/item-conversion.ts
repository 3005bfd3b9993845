import { sameItems, canonicalText } from "../input/lists.js";
import type { VersionConversion } from "./conversion.js";

/**
 * The same conversion for the items of a list. An item that is sent as another was shown is that one, wherever it stands now; of
 * the rest, each takes the place of the one that stood there.
 */
export function items<Stored, Shown>({
  toShown,
  toStored,
}: VersionConversion<Stored, Shown>): VersionConversion<Stored[], Shown[]> {
  return {
    toShown: (stored) => stored.map(toShown),
    toStored: (sent, stored) => {
      if (stored === null) return sent.map((item) => toStored(item, null));
      const shown = stored.map((item) => canonicalText(toShown(item)));
      const same = sameItems(sent.map(canonicalText), shown);
      const taken = new Set(same);
      return sent.map((item, index) => {
        const known = stored[same[index] ?? -1];
        if (known !== undefined) return known;
        return toStored(item, taken.has(index) ? null : (stored[index] ?? null));
      });
    },
  };
}
