import { quoted } from "../quoted.js";

/** Mistakes in the keywords of a property: bounds, patterns, and keywords that do not go together. */
export const PROPERTIES = {
  "SCH-13": (given: { low: string; from: string | number; high: string; to: string | number }) =>
    `No value satisfies both ${given.low} ${given.from} and ${given.high} ${given.to}.`,
  "SCH-14": ({ keyword, target }: { keyword: string; target: string }) =>
    `The keyword ${quoted(keyword)} does not apply to ${target}.`,
  // The text of the engine is quoted, because it knows the mistake best.
  "SCH-16": ({ said, position }: { said: string; position: number }) =>
    `The pattern is not a valid regular expression: ${said}, at character ${position}.`,
  "SCH-17": () =>
    "The pattern is too slow: its matching time can grow exponentially with the length of the string.",
  "SCH-18": () =>
    "The pattern can match anywhere in a string, because it is not anchored with ^ and $.",
  "SCH-31": () => "An array cannot hold arrays.",
  "SCH-32": ({ keyword }: { keyword: string }) =>
    `The ${keyword} looks like a secret, and schemas are published with the service.`,
  "SCH-33": () =>
    "A unique property cannot have a default: the second entity with that value would be refused.",
  "SCH-210": () => "Only numbers, timestamps and dates have ranges that lists can be filtered by.",
  "SCH-435": () => "Only texts, and lists of texts, can be searched.",
  "SCH-104": () => "multipleOf must be greater than 0.",
  "SCH-105": ({ inclusive, exclusive }: { inclusive: string; exclusive: string }) =>
    `${inclusive} and ${exclusive} set the same bound.`,
  "SCH-107": ({ most }: { most: number }) =>
    `A unique string is indexed as a whole, so it needs a maxLength of at most ${most}.`,
  "SCH-108": () =>
    "readOnly and immutable cannot be combined: a client can never set a readOnly property.",
  "SCH-109": () =>
    "A property that is both readOnly and required needs a value before your code writes one.",
  "SCH-110": () =>
    "Objects are nested too deep: an object inside an object cannot contain another one.",
  "SCH-111": () => "The pattern cannot be proved to match in linear time.",
  "SCH-112": ({ degree, longest }: { degree: number; longest: number }) =>
    `The pattern is too slow: its matching time grows with the length to the power of ${degree}, which is acceptable with a maxLength of at most ${longest}.`,
  "SCH-361": ({ minItems, count }: { minItems: number; count: number }) =>
    `No list has ${minItems} different items: an item can have ${count} ${count === 1 ? "value" : "values"}.`,
} as const;
