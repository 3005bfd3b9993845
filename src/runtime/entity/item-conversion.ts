import { isJsonObject, type JsonValue } from "../input/json.js";
import type { Conversion } from "./conversion.js";

/**
 * The same conversion for the items of a list. An item that is sent as another was shown is that one, wherever it stands now; of
 * the rest, each takes the place of the one that stood there.
 */
export function items<Stored, Shown>({
  toShown,
  toStored,
}: Conversion<Stored, Shown>): Conversion<Stored[], Shown[]> {
  return {
    toShown: (stored) => stored.map(toShown),
    toStored: (sent, stored) => {
      if (stored === null) return sent.map((item) => toStored(item, null));
      const left = stored.map((item) => ({
        item,
        text: textOf(toShown(item)),
        isFree: true,
      }));
      const byText = new Map<string, (typeof left)[number][]>();
      // Backwards, so that the first one of equals is taken first.
      for (const place of [...left].reverse()) {
        const equals = byText.get(place.text);
        if (equals === undefined) byText.set(place.text, [place]);
        else equals.push(place);
      }
      const same = sent.map((item, index) => {
        const text = textOf(item);
        const here = left[index];
        const equals = byText.get(text) ?? [];
        let found = here?.text === text && here.isFree ? here : equals.pop();
        while (found?.isFree === false) found = equals.pop();
        if (found !== undefined) found.isFree = false;
        return found;
      });
      return sent.map((item, index) => {
        const known = same[index];
        if (known !== undefined) return known.item;
        const there = left[index];
        return toStored(item, there?.isFree === true ? there.item : null);
      });
    },
  };
}

/** A text that is equal for equal items, in whatever order their properties stand. */
export function textOf(item: unknown): string {
  // Texts and numbers have one form: only what holds others needs to be looked through.
  if (typeof item !== "object") return JSON.stringify(item);
  return JSON.stringify(item, (_name, value: JsonValue) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
