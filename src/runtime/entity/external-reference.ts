import { OPEN } from "../auth/access.js";
import { nullable, type Reader, uuid } from "../input/reader.js";
import { text } from "../input/text.js";
import type { Reference } from "./references.js";

const MOST_CHARACTERS = 10_000;
const readEmbedded = nullable(text({ maxLength: MOST_CHARACTERS }));

/** A reference to what another service keeps: every identifier is accepted. `toEmbedded` sets the embedded values to null. */
export function externalReference<Embedded>(options: {
  readonly idProperty: string;
  readonly embedded: readonly string[];
  readonly words: string;
  /** Left out: a UUID. */
  readonly readIdentifier?: Reader<string>;
  readonly toEmbedded: (id: string) => Embedded;
}): Reference<Embedded> {
  const { idProperty, embedded, words, readIdentifier = uuid(), toEmbedded } = options;
  return {
    idProperty,
    names: new Set([idProperty, ...embedded]),
    problem: `does not refer to an existing ${words}`,
    entityType: "",
    bodyPath: null,
    readIdentifier,
    access: OPEN,
    accept: toEmbedded,
    readSupplied: (item, path, report) => {
      const values = embedded.map((name) => {
        return [name, readEmbedded(item[name], `${path}.${name}`, report)] as const;
      });
      return { ...toEmbedded(String(item[idProperty])), ...Object.fromEntries(values) };
    },
    find: async () => new Map(),
  };
}
