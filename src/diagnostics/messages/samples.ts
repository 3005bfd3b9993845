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
    `${quoted(property)} of ${resource} is unique: the first entity would use its sample up.`,
  "SCH-394": ({ resource, properties }: { resource: string; properties: string }) =>
    `With these samples, all entities of ${resource} would be alike in what is unique together: ${properties}.`,
  "SCH-395": ({ resource, property }: Sampled) =>
    `${quoted(property)} of ${resource} holds its state, and nothing refers to ${resource}: none of them is led to another state than that in which it begins.`,
} as const;
