import { quoted } from "../quoted.js";

/** A property, and the resource that was to have it: `v1/loans`. */
interface Sampled {
  readonly resource: string;
  readonly property: string;
}

/** Mistakes in the file of `generator verify --samples`. */
export const SAMPLES = {
  "SCH-390": ({ resource }: { resource: string }) =>
    `The service does not have a resource ${quoted(resource)}.`,
  "SCH-391": ({ resource, property }: Sampled) =>
    `${resource} does not have a property ${quoted(property)}.`,
  "SCH-392": ({ resource, property }: Sampled) =>
    `${quoted(property)} of ${resource} is read-only: a body cannot set it.`,
  "SCH-393": ({ resource, property }: Sampled) =>
    `${quoted(property)} of ${resource} is unique: the first entity would use up its sample.`,
  "SCH-394": ({ resource, properties }: { resource: string; properties: string }) =>
    `With these samples, all entities of ${resource} would have the same values in properties that are unique together: ${properties}.`,
  "SCH-395": ({ resource, property }: Sampled) =>
    `${quoted(property)} of ${resource} holds its state, and nothing refers to ${resource}: none of its entities ever leaves its initial state.`,
} as const;
