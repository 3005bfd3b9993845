import { object, type BodyInput } from "../input/bodies.js";
import type { Reader } from "../input/reader.js";

/** An item of a list that is an object with references, which were looked up before; nothing of it is stored yet. */
export function referringObject<T, References>(
  read: (input: BodyInput, stored: null, references: References) => T,
  references: References,
): Reader<T> {
  return object((input) => read(input, null, references));
}
