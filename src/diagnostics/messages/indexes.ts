import { quoted } from "../quoted.js";

/** Mistakes in the indexes of a resource, those among them that keep values unique. */
export const INDEXES = {
  "SCH-211": ({ name, key }: { name: string; key: string }) =>
    `${quoted(key)} names ${quoted(name)}, which is not a property of the resource.`,
  "SCH-212": ({ name }: { name: string }) =>
    `${quoted(name)} cannot be part of an index: it does not hold a single value of its own.`,
  "SCH-218": ({ name }: { name: string }) => `The index contains ${quoted(name)} twice.`,
  "SCH-219": ({ characters, most }: { characters: string; most: number }) =>
    `The strings of the index can have ${characters} characters together, but an entry of an index holds at most ${most}.`,
  "SCH-220": ({ name }: { name: string }) =>
    `${quoted(name)} is unique by itself, so a combination that contains it adds nothing.`,
  "SCH-221": ({ name }: { name: string }) =>
    `${quoted(name)} is inside an object, and only properties at the top level can be unique.`,
} as const;
