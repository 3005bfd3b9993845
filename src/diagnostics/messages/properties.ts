import { quoted } from "../quoted.js";

/** What the keywords of a property can get wrong: bounds, patterns, and keywords that do not go together. */
export const PROPERTIES = {
  "SCH-13": (given: { low: string; from: string | number; high: string; to: string | number }) =>
    `Nothing lies between ${given.low} ${given.from} and ${given.high} ${given.to}.`,
  "SCH-14": ({ keyword, target }: { keyword: string; target: string }) =>
    `The keyword ${quoted(keyword)} does not apply to ${target}.`,
  // What the engine says is quoted: it knows regular expressions better than we could.
  "SCH-16": ({ said, position }: { said: string; position: number }) =>
    `The pattern is not a regular expression: ${said}, at character ${position}.`,
  "SCH-17": () =>
    "The pattern is too slow: matching a text twice as long can take a thousand times as long.",
  "SCH-18": () => "The pattern matches anywhere in a text, since it has no ^ and $ around it.",
  "SCH-31": () => "An array cannot hold arrays.",
  "SCH-32": ({ keyword }: { keyword: string }) =>
    `The ${keyword} looks like a secret, and what stands in a schema is published with the service.`,
  "SCH-33": () =>
    "A unique property cannot have a default: the second entity that has it would be refused.",
  "SCH-104": () => "multipleOf must be greater than 0.",
  "SCH-105": ({ inclusive, exclusive }: { inclusive: string; exclusive: string }) =>
    `${inclusive} and ${exclusive} bound the same side.`,
  "SCH-107": ({ most }: { most: number }) =>
    `A unique text is indexed as a whole, so it needs a maxLength of at most ${most}.`,
  "SCH-108": () => "readOnly and immutable contradict each other: nobody can set this property.",
  "SCH-109": () =>
    "A readOnly property that is never null needs a value before your code writes one.",
  "SCH-110": () => "Objects nest too deep: an object can hold objects, and those cannot hold more.",
  "SCH-111": () => "The pattern cannot be proved to take linear time.",
  "SCH-112": ({ degree, longest }: { degree: number; longest: number }) =>
    `The pattern is too slow: its time grows with the length to the power of ${degree}; a maxLength of at most ${longest} bounds it.`,
} as const;
