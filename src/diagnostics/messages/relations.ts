import { quoted } from "../quoted.js";

/** Mistakes between resources: references, representations, parents. */
export const RELATIONS = {
  "REP-4": ({ name }: { name: string }) =>
    `${quoted(name)} looks like a flat reference; a reference must be an object that holds the identifier.`,
  "SCH-404": ({ name }: { name: string }) =>
    `${quoted(name)} is a UUID: perhaps it should be a reference.`,
  "SCH-405": ({ name }: { name: string }) =>
    `${quoted(name)} is a reference: an object that holds an identifier, and is not one itself.`,
  "CHD-3": ({ circle }: { circle: string }) => `Parents cannot form a circle: ${circle}.`,

  "SCH-36": ({ reference }: { reference: string }) =>
    `The reference points to ${quoted(reference)}, which is not a resource of this service.`,
  "SCH-42": ({ reference, represented }: { reference: string; represented: string }) =>
    `A reference cannot point to a representation, and ${quoted(reference)} represents ${represented}.`,
  "SCH-43": ({ reference }: { reference: string }) =>
    `${quoted(reference)} is a resource of this service, so the reference is not external.`,
  "SCH-44": ({ reference }: { reference: string }) =>
    `The reference points to ${quoted(reference)}, which is not a valid resource name.`,
  "SCH-45": () =>
    "Only an external reference needs an entity: a resource of this service declares its own.",
  "SCH-46": ({ name }: { name: string }) => `${quoted(name)} is embedded twice.`,
  "SCH-47": ({ name }: { name: string }) =>
    `${quoted(name)} cannot be embedded: a reference always shows the identifier.`,
  "SCH-48": ({ reference, name }: { reference: string; name: string }) =>
    `${quoted(name)} cannot be embedded: ${quoted(reference)} has no such property.`,
  "SCH-49": ({ name }: { name: string }) =>
    `${quoted(name)} cannot be embedded: it is not a single value.`,
  "SCH-51": () => "disclose has no effect: the reference does not embed anything.",
  "SCH-52": () =>
    "An external reference cannot have onDelete: this service does not learn of the deletion.",
  "SCH-53": ({ holder }: { holder: "an item of an array" | "a required property" }) =>
    `onDelete cannot be setNull here: ${holder} is never null.`,
  "SCH-246": ({ name, reference }: { name: string; reference: string }) =>
    `${quoted(name)} duplicates the reference ${quoted(reference)}, which can show it.`,
  "SCH-247": () =>
    "Only an external reference needs an identifier: a resource of this service has UUIDs.",
  "SCH-248": () =>
    "onDelete cannot be setNull inside an object or an array: only a reference at the top level can be set to null.",
  "SCH-249": () =>
    "Only a reference at the top level, to a resource of this service, can have a path of its own.",
  "SCH-250": () =>
    "A reference that clients cannot set cannot have a path: a create there would set it.",
  "SCH-251": ({ path }: { path: string }) => `Two references have the same path, ${path}.`,
  "SCH-54": ({ resource }: { resource: string }) =>
    `Required references form a cycle back to ${resource}, so the first entity could never be created.`,

  "SCH-37": ({ represents }: { represents: string }) =>
    `A representation of ${quoted(represents)} is not possible: this service has no such resource.`,
  "SCH-39": (given: {
    reference: string;
    embedded: string;
    other: string;
    resource: string;
    readers: string;
    allowed: string;
  }) =>
    `${quoted(given.reference)} shows ${given.embedded} of ${given.other} to everyone who can read ${given.resource} (${given.readers}), but not all of them can read ${given.other} (${given.allowed}).`,
  "SCH-40": ({ reference, embedded, other }: Record<"reference" | "embedded" | "other", string>) =>
    `${quoted(reference)} shows ${quoted(embedded)} of ${other}, which is marked as sensitive.`,
  "SCH-55": ({ represents }: { represents: string }) =>
    `${quoted(represents)} is itself a representation, so it cannot be represented.`,
  "SCH-56": ({ key }: { key: string }) =>
    `A representation cannot have the key ${quoted(key)}: the original's applies here too.`,
  "SCH-57": ({ resource, name }: { resource: string; name: string }) =>
    `${quoted(name)} cannot be shown: ${resource} has no such property.`,
  "SCH-58": ({ name }: { name: string }) => `${quoted(name)} is shown twice.`,
  "SCH-59": () =>
    "A representation of a child cannot offer create: a child is created under its parent.",
  "SCH-60": ({ name }: { name: string }) =>
    `A create requires ${quoted(name)}, which the representation does not show.`,
  "SCH-61": () =>
    "Only a representation can have a where, and this resource does not represent another.",

  "SCH-38": ({ parent }: { parent: string }) =>
    `The parent is ${quoted(parent)}, which is not a resource of this service.`,
  "SCH-62": () => "A resource cannot be its own parent.",
  "SCH-63": ({ name }: { name: string }) =>
    `${quoted(name)} is the name of the reference to the parent, but this is another kind of property.`,
  "SCH-64": ({ keyword, name }: { keyword: string; name: string }) =>
    `${keyword} does not apply to the reference to the parent: the ${name} in the path is permanent.`,
  "SCH-65": ({ name }: { name: string }) =>
    `The alias cannot be called ${quoted(name)}: that path lists the children.`,
} as const;
