/** A JSON Schema, as far as the words of the language are read from it. */
export interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** A word where it is used. */
export interface UsedWord {
  /** `states.initial`; what a property of any depth says is `property.maxLength`. */
  readonly word: string;
  /** Where it stands. */
  readonly place: string;
  readonly value: string;
}

const PROPERTY_WORDS = "property.";

/** A property, wherever it stands, is described once. */
const PROPERTY = "#/definitions/property";

/** Every word that a schema knows, by the words that it stands under. */
export function wordsOf(root: Schema): string[] {
  const words = new Set<string>();
  const walk = (schema: Schema, holder: string): void => {
    for (const [part, below] of partsOf(schema, root, holder)) {
      for (const [name, own] of Object.entries(part.properties ?? {})) {
        // A condition that repeats a word says nothing of its own.
        const word = below + name;
        const isKnown = words.has(word);
        words.add(word);
        if (!isKnown || own.$ref !== undefined) walk(own, `${word}.`);
      }
    }
  };
  const seen = new Set<string>();
  const partsOf = (schema: Schema, top: Schema, holder: string): [Schema, string][] => {
    const { $ref } = schema;
    if ($ref !== undefined) {
      const below = $ref === PROPERTY ? PROPERTY_WORDS : holder;
      if (seen.has($ref + below)) return [];
      seen.add($ref + below);
      return partsOf(definition($ref, top), top, below);
    }
    const { additionalProperties, items, anyOf = [], then, else: otherwise } = schema;
    const inner = [additionalProperties, items, ...anyOf, then, otherwise];
    return [
      [schema, holder],
      ...inner.flatMap((one) => (typeof one === "object" ? partsOf(one, top, holder) : [])),
    ];
  };
  walk(root, "");
  return [...words];
}

/** Every word that a text uses, each with its value. */
export function wordsIn(value: unknown, root: Schema): UsedWord[] {
  const known = new Set(wordsOf(root));
  const found: UsedWord[] = [];
  const walk = (held: unknown, holder: string, place: string): void => {
    if (Array.isArray(held)) {
      for (const [index, one] of held.entries()) walk(one, holder, `${place}[${index}]`);
    }
    if (typeof held !== "object" || held === null || Array.isArray(held)) return;
    for (const [name, own] of Object.entries(held)) {
      const word = holder + name;
      const at = `${place}.${name}`;
      if (known.has(word)) found.push({ word, place: at, value: JSON.stringify(own) });
      else if (holder === PROPERTY_WORDS && typeof own === "string") {
        // The name of a type alone.
        found.push({ word: `${PROPERTY_WORDS}type`, place: at, value: own });
      }
      walk(own, belowOf(word, holder, known), at);
    }
  };
  walk(value, "", "");
  return found;
}

/** What stands under a word; a name that somebody chose stands for nothing. */
function belowOf(word: string, holder: string, known: ReadonlySet<string>): string {
  if (!known.has(word)) return holder;
  return HOLDS_PROPERTIES.some((name) => word.endsWith(name)) ? PROPERTY_WORDS : `${word}.`;
}

const HOLDS_PROPERTIES = ["properties", "items", "actions.input", "actions.answers"];

function definition(ref: string, { definitions = {} }: Schema): Schema {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const found = definitions[name];
  if (found === undefined) throw new Error(`${ref} is not defined`);
  return found;
}
