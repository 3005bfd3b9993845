import type { VersionConversion } from "./conversion.js";
import { canonicalText } from "../input/lists.js";
import { items } from "./item-conversion.js";

/**
 * The same conversion for a list without repetitions: items that are shown as one are shown once. All that is shown as something
 * that is sent stays, where that stands; of the rest, each takes the place of what was shown there.
 */
export function uniqueItems<Stored, Shown>(
  item: VersionConversion<Stored, Shown>,
): VersionConversion<Stored[], Shown[]> {
  const all = items(item);
  return {
    toShown: (stored) => [
      ...new Map(all.toShown(stored).map((one) => [canonicalText(one), one])).values(),
    ],
    toStored: (sent, stored) => {
      if (stored === null) return all.toStored(sent, null);
      const meant = new Map<string, Stored[]>();
      for (const one of stored) {
        const text = canonicalText(item.toShown(one));
        const others = meant.get(text);
        if (others === undefined) meant.set(text, [one]);
        else others.push(one);
      }
      const texts = sent.map(canonicalText);
      const shown = [...meant.keys()];
      if (shown.join() === texts.join()) return stored;
      const kept = new Set(texts);
      return sent.flatMap((one, index) => {
        const there = shown[index] ?? "";
        const free = kept.has(there) ? null : (meant.get(there)?.[0] ?? null);
        return meant.get(canonicalText(one)) ?? [item.toStored(one, free)];
      });
    },
  };
}
