import { quoted } from "../quoted.js";

/** Mistakes in an alias, and in the conditions of aliases and representations. */
export const CONDITIONS = {
  "ALI-1": ({ name }: { name: string }) =>
    `The alias ${quoted(name)} is a list, but the resource does not offer the operation "list".`,
  "SCH-83": ({ name }: { name: string }) =>
    `There is no property ${quoted(name)} that holds a single value.`,
  "SCH-84": ({ name }: { name: string }) => `${quoted(name)} is not sortable.`,
  "SCH-85": ({ name }: { name: string }) => `The sort contains ${quoted(name)} twice.`,
  "SCH-86": () => "The comparison is empty.",
  "SCH-87": ({ comparison }: { comparison: string }) =>
    `${quoted(comparison)} is not a known comparison.`,
  "SCH-88": () => "The list is empty, so nothing can match.",
  "SCH-89": ({ comparison }: { comparison: string }) =>
    `${quoted(comparison)} compares only numbers, timestamps and dates.`,
  "SCH-90": ({ comparison }: { comparison: string }) =>
    `${quoted(comparison)} cannot compare with null, which is neither larger nor smaller than any value.`,
  "SCH-91": ({ comparison }: { comparison: string }) =>
    `${quoted(comparison)} applies only to timestamps and dates.`,
  "SCH-213": () => "The alias has neither a where nor a sort, so it would be the list itself.",
  "SCH-214": () => "An alternative cannot have alternatives of its own.",
  "SCH-215": () => 'createdSubject can only be compared with "mine", which is the caller.',
  "SCH-216": () => 'Nothing is "mine" without authentication: all callers are anonymous.',
  "SCH-217": () => "The alternative has no condition, so everything would match.",
  "SCH-92": ({ value }: { value: string }) => `${value} is not a duration of at most ten years.`,
  "SCH-436": ({ value }: { value: string }) =>
    `A date is compared with days, and ${value} is not a number of days.`,
  "SCH-437": () => "A timestamp is never equal to today, which is a whole day.",
} as const;
