import { quoted } from "../quoted.js";

/** What can be wrong between resources: references, representations, parents. */
export const RELATIONS = {
  "REP-4": ({ name }: { name: string }) =>
    `A reference is a nested object that holds the other's identifier, and ${quoted(name)} is a flat one.`,
  "CHD-3": ({ parent, grandparent }: { parent: string; grandparent: string }) =>
    `Nothing nests deeper than a child, and ${quoted(parent)} is a child of ${quoted(grandparent)}.`,

  "SCH-36": ({ reference }: { reference: string }) =>
    `The reference leads to ${quoted(reference)}, and there is no such resource here.`,
  "SCH-41": () =>
    "A reference cannot stand inside an object: a database checks references at the top only.",
  "SCH-42": ({ reference, represented }: { reference: string; represented: string }) =>
    `A reference cannot lead to a representation, and ${quoted(reference)} is one of ${represented}.`,
  "SCH-43": ({ reference }: { reference: string }) =>
    `${quoted(reference)} is not external: it is a resource of this service.`,
  "SCH-44": ({ reference }: { reference: string }) =>
    `The reference leads to ${quoted(reference)}, which cannot be the name of a resource.`,
  "SCH-45": () => "Only an external reference says its entity: here the other resource does.",
  "SCH-46": ({ name }: { name: string }) => `${quoted(name)} is embedded twice.`,
  "SCH-47": ({ name }: { name: string }) =>
    `${quoted(name)} cannot be embedded: a reference shows its identifier anyway.`,
  "SCH-48": ({ reference, name }: { reference: string; name: string }) =>
    `${quoted(name)} cannot be embedded: ${quoted(reference)} has no such property.`,
  "SCH-49": ({ name }: { name: string }) =>
    `${quoted(name)} cannot be embedded: it is not a single value.`,
  "SCH-50": () => "A list of references cannot embed anything: it shows identifiers only.",
  "SCH-51": () => "The reference embeds nothing that it could disclose.",
  "SCH-52": () => "An external reference has no onDelete: nobody tells this service of a deletion.",
  "SCH-53": ({ holder }: { holder: "an item of an array" | "a required property" }) =>
    `onDelete cannot be setNull here: ${holder} is never null.`,
  "SCH-54": ({ resource }: { resource: string }) =>
    `Required references lead back to ${resource}, so that nobody could create the first one.`,

  "SCH-37": ({ represents }: { represents: string }) =>
    `There is no resource ${quoted(represents)} here to represent.`,
  "SCH-39": (given: {
    reference: string;
    embedded: string;
    other: string;
    resource: string;
    readers: string;
    allowed: string;
  }) =>
    `${quoted(given.reference)} shows ${given.embedded} of ${given.other} to everybody who may read ${given.resource} (${given.readers}), and not all of them may read ${given.other} (${given.allowed}).`,
  "SCH-40": ({ reference, embedded, other }: Record<"reference" | "embedded" | "other", string>) =>
    `${quoted(reference)} shows ${quoted(embedded)} of ${other}, which is sensitive.`,
  "SCH-55": ({ represents }: { represents: string }) =>
    `A representation cannot represent another one, and ${quoted(represents)} is one.`,
  "SCH-56": ({ key }: { key: string }) =>
    `A representation cannot say ${quoted(key)}: what the original says holds here as well.`,
  "SCH-57": ({ resource, name }: { resource: string; name: string }) =>
    `There is no property ${quoted(name)} of ${resource} to show.`,
  "SCH-58": ({ name }: { name: string }) => `${quoted(name)} is shown twice.`,
  "SCH-59": () =>
    "A representation of a child cannot offer create: a child is created under its parent.",
  "SCH-60": ({ name }: { name: string }) => `A create needs ${quoted(name)}, which is not shown.`,
  "SCH-61": () =>
    "Only a representation has a where, and this file does not say what it represents.",

  "SCH-38": ({ parent }: { parent: string }) =>
    `The parent is ${quoted(parent)}, and there is no such resource here.`,
  "SCH-62": () => "A resource cannot be its own parent.",
  "SCH-63": ({ name }: { name: string }) =>
    `${quoted(name)} is the name of the reference to the parent, and this is something else.`,
  "SCH-64": ({ keyword, name }: { keyword: string; name: string }) =>
    `${keyword} does not apply to the reference to the parent: the path says for good which ${name} it is.`,
  "SCH-65": ({ name }: { name: string }) =>
    `The alias cannot be called ${quoted(name)}: children stand under that name.`,
} as const;
