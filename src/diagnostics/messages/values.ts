import { quoted } from "../quoted.js";

/** A value in a message; its role is `default`, `example`, or `value` in a condition. */
interface Given {
  readonly role: string;
  readonly value: string;
}

/** Mistakes in a value of a schema: a default, an example, or a value in a condition. */
export const VALUES = {
  "SCH-15": ({ role, value, expected }: Given & { expected: string }) =>
    `The ${role} ${value} is not ${expected}.`,
  "SCH-93": ({ role, value, allowed }: Given & { allowed: string }) =>
    `The ${role} ${value} is not one of ${allowed}.`,
  "SCH-94": ({ role }: { role: string }) =>
    `The ${role} is an empty string, which is stored as null.`,
  "SCH-95": (given: { role: string; length: number; bound: string; limit: number }) =>
    `The ${given.role} has ${given.length} characters, but ${given.bound} is ${given.limit}.`,
  "SCH-96": ({ role, value, format }: Given & { format: string }) =>
    `The ${role} ${value} does not have the format ${format}.`,
  "SCH-97": ({ role, value }: Given) => `The ${role} ${value} does not match the pattern.`,
  "SCH-98": (given: Given & { bound: string; limit: string }) =>
    `The ${given.role} is ${given.value}, but ${given.bound} is ${given.limit}.`,
  "SCH-99": ({ role, value, multipleOf }: Given & { multipleOf: string }) =>
    `The ${role} ${value} is not a multiple of ${multipleOf}.`,
  "SCH-100": (given: Given & { scale: number; most: number; side: "before" | "after" }) =>
    `The ${given.role} ${given.value} has more than ${given.most} digits ${given.side} the decimal point (scale ${given.scale}).`,
  "SCH-101": (given: { role: string; length: number; bound: string; limit: number }) =>
    `The ${given.role} has ${given.length} items, but ${given.bound} is ${given.limit}.`,
  "SCH-102": ({ role, name }: { role: string; name: string }) =>
    `The ${role} has a property ${quoted(name)} that the object does not declare.`,
  "SCH-103": ({ role }: { role: string }) =>
    `The ${role} contains a reference, but a schema cannot know which entities exist.`,
  "SCH-130": ({ role, value, place }: Given & { place: number }) =>
    `The ${role} contains ${value} again at [${place}], but uniqueItems is true.`,
  "SCH-131": ({ role, value }: Given) =>
    `The ${role} ${value} contains a character that cannot be stored.`,
} as const;
