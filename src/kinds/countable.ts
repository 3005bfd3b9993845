import { countedText } from "#runtime/testing/counted-text";

/** As many values as that are enough for the tests of one resource. */
export const ENOUGH = 100;

/**
 * All texts that the tests of a service count up to from one, so that a property that must be unique needs but that one
 * value in them; none where these are not enough.
 */
export function countedTexts(value: unknown): readonly string[] {
  if (typeof value !== "string") return [];
  const texts: string[] = [];
  let text = value;
  do {
    texts.push(text);
    text = countedText(value, texts.length);
  } while (text !== value);
  return texts.length < ENOUGH ? [] : texts;
}
