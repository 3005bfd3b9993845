import { isJsonObject } from "./json.js";
import { wrongType, type Reader } from "./reader.js";

/** How each property of an object is read. */
export type PropertyReaders<T> = { readonly [Name in keyof T]: Reader<T[Name]> };

/** An object with these properties, each read by its own reader; all else that it holds is left out. */
export function shape<T extends object>(readers: PropertyReaders<T>): Reader<T> {
  const names = Object.keys(readers) as (keyof T & string)[];
  return (value, path, report) => {
    const isRead = isJsonObject(value);
    if (!isRead) report.add(path, wrongType(value, "an object"));
    const object = isRead ? value : {};
    const before = path === "" ? "" : `${path}.`;
    const read: Record<string, unknown> = {};
    for (const name of names) {
      // What is missing in something else than an object is not told as well.
      read[name] = isRead ? readers[name](object[name], before + name, report) : null;
    }
    // The readers give a value of its type for each name of T.
    return read as T;
  };
}
