import { quoted } from "../quoted.js";

/** Mistakes in names: their form, and names that are taken. */
export const NAMES = {
  "NAM-1": ({ resource }: { resource: string }) =>
    `A resource name must be a plural noun in lower case without separators; ${quoted(resource)} is not.`,
  "NAM-2": ({ name }: { name: string }) =>
    `A property name must be camelCase (ASCII letters and digits); ${quoted(name)} is not.`,
  "NAM-3": ({ name }: { name: string }) =>
    `The name of an array must be plural; ${quoted(name)} is not.`,
  "NAM-4": ({ value }: { value: string }) =>
    `An enum value must be camelCase; ${quoted(value)} is not.`,
  "NAM-5": ({ name }: { name: string }) =>
    `The name of an alias, an action or a representation must be lower case without separators; ${quoted(name)} is not.`,
  "IDN-2": ({ entity }: { entity: string }) =>
    `The name of an entity must be the camelCase singular of its resource; ${quoted(entity)} is not.`,
  "ENT-3": ({ name }: { name: string }) =>
    `Every entity already has ${quoted(name)}, which the service writes; a schema cannot declare it.`,
  "VER-1": ({ name }: { name: string }) =>
    `A version must be named v1, v2 and so on; ${quoted(name)} is not.`,

  "SCH-12": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: every JavaScript object has a member with that name.`,
  "SCH-19": ({ name, other }: { name: string; other: string }) =>
    `The generated name ${quoted(name)} is already taken by ${other}.`,
  "SCH-20": ({ resource, first }: { resource: string; first: string }) =>
    `The resource ${quoted(resource)} is declared twice; the other declaration is at ${first}.`,
  "SCH-21": ({ resource, file }: { resource: string; file: string }) =>
    `The file ${quoted(file)} declares ${quoted(resource)}, but a file must be named after its resource.`,
  "SCH-117": ({ name, identifier }: { name: string; identifier: string }) =>
    `${quoted(name)} is an ordinary property: the identifier of the entity is ${quoted(identifier)}.`,
  "SCH-118": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: PostgreSQL has a system column with that name.`,
  "SCH-119": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: it is a query parameter of collections.`,
  "SCH-120": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: Windows does not allow a file with that name.`,
  "SCH-121": ({ basePath, taken }: { basePath: string; taken: string }) =>
    `The base path ${quoted(basePath)} is reserved: the service itself answers at ${taken}.`,
  "SCH-122": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: generated code already uses that name.`,
  "SCH-129": ({ name, other }: { name: string; other: string }) =>
    `${quoted(name)} and ${quoted(other)} differ only in upper and lower case, which databases ignore.`,
  "SCH-290": ({ name, other }: { name: string; other: string }) =>
    `${quoted(name)} differs only in upper and lower case, which databases ignore, from ${quoted(other)}, whose values are kept.`,
  "SCH-190": ({ rule }: { rule: string }) =>
    `The exemption from ${rule} has no effect: the name follows the rule, or the rule is not about it.`,
  "SCH-191": ({ folder, name }: { folder: string; name: string }) =>
    `${quoted(folder)} holds resources, but service.yaml does not declare the version ${quoted(name)}.`,
  "SCH-192": ({ basePath, name }: { basePath: string; name: string }) =>
    `The base path ${quoted(basePath)} contains a version, ${quoted(name)}: the service adds the version itself.`,
  "SCH-193": ({ name, field }: { name: string; field: string }) =>
    `${quoted(name)} is an ordinary property: the service already writes ${quoted(field)} on every entity.`,
} as const;
