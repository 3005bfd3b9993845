import { quoted } from "../quoted.js";

/** What names can be, and which are taken. */
export const NAMES = {
  "NAM-1": ({ resource }: { resource: string }) =>
    `A resource name is a plural noun in lower case without separators, and ${quoted(resource)} is not.`,
  "NAM-2": ({ name }: { name: string }) =>
    `A property name is camelCase (letters and digits of ASCII), and ${quoted(name)} is not.`,
  "NAM-3": ({ name }: { name: string }) =>
    `An array has a plural name, and ${quoted(name)} is not a plural.`,
  "NAM-4": ({ value }: { value: string }) =>
    `An enum value is camelCase, and ${quoted(value)} is not.`,
  "NAM-5": ({ name }: { name: string }) =>
    `The name of an alias or a representation is lower case without separators, and ${quoted(name)} is not.`,
  "IDN-2": ({ entity }: { entity: string }) =>
    `An entity's name is the camelCase singular of its resource, and ${quoted(entity)} is not.`,
  "ENT-3": ({ name }: { name: string }) =>
    `The service itself writes ${quoted(name)} on every entity, so a schema cannot declare it.`,
  "VER-1": ({ name }: { name: string }) =>
    `A version is v1, v2 and so on, and ${quoted(name)} is not.`,

  "SCH-12": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: every object of JavaScript has a member of that name.`,
  "SCH-19": ({ name, other }: { name: string; other: string }) =>
    `The generated name ${quoted(name)} is taken already, by ${other}.`,
  "SCH-20": ({ resource, first }: { resource: string; first: string }) =>
    `The resource ${quoted(resource)} is declared twice; the other one is at ${first}.`,
  "SCH-21": ({ resource, file }: { resource: string; file: string }) =>
    `The file ${quoted(file)} declares ${quoted(resource)}, and a file is named after its resource.`,
  "SCH-117": ({ name, identifier }: { name: string; identifier: string }) =>
    `${quoted(name)} is a property like any other here: the identifier is ${quoted(identifier)}.`,
  "SCH-118": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: PostgreSQL has a system column of that name.`,
  "SCH-119": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: it is a query parameter of every collection.`,
  "SCH-120": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: Windows cannot keep a file of that name.`,
  "SCH-121": ({ basePath, taken }: { basePath: string; taken: string }) =>
    `The base path ${quoted(basePath)} is reserved: the service itself answers at ${taken}.`,
  "SCH-122": ({ name }: { name: string }) =>
    `The name ${quoted(name)} is reserved: generated code already uses a type or a value of that name.`,
  "SCH-129": ({ name, other }: { name: string; other: string }) =>
    `${quoted(name)} and ${quoted(other)} differ in capitals only, and databases do not tell capitals apart.`,
} as const;
