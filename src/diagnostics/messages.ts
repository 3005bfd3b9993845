import { quoted } from "./quoted.js";

/** The text of every diagnostic, by its code. A code is for ever; each has a page in docs/diagnostics. */
export const MESSAGES = {
  "NAM-1": ({ resource, problem }: { resource: string; problem: string }) =>
    `A resource name is a plural noun in lower case without separators, and ${quoted(resource)} ${problem}.`,
  "NAM-2": ({ name }: { name: string }) =>
    `A property name is camelCase (letters and digits of ASCII), and ${quoted(name)} is not.`,
  "NAM-3": ({ name }: { name: string }) =>
    `An array has a plural name, and ${quoted(name)} is no plural.`,
  "NAM-4": ({ value }: { value: string }) =>
    `An enum value is camelCase, and ${quoted(value)} is not.`,
  "NAM-5": ({ name }: { name: string }) =>
    `The name of an alias or a representation is lower case without separators, and ${quoted(name)} is not.`,
  "IDN-2": ({ problem }: { problem: string }) => `${problem}.`,
  "ENT-3": ({ name }: { name: string }) =>
    `The service itself writes ${quoted(name)} on every entity, so a schema can not declare it.`,
  "REP-4": ({ name }: { name: string }) =>
    `A reference is a nested object that holds the other's identifier, and ${quoted(name)} is a flat one.`,
  "ALI-1": ({ name, problem }: { name: string; problem: string }) =>
    `The alias ${quoted(name)} can not be kept: ${problem}.`,
  "STA-1": ({ problem }: { problem: string }) => `The states can not be kept: ${problem}.`,
  "CHD-3": ({ parent, grandparent }: { parent: string; grandparent: string }) =>
    `Nothing nests deeper than a child, and ${quoted(parent)} is a child of ${quoted(grandparent)}.`,
  "AUT-1": ({ problem }: { problem: string }) => `The authentication can not work: ${problem}.`,
  "AUT-2": ({ problem }: { problem: string }) => `The access can not be given: ${problem}.`,
  "VER-1": ({ path, problem }: { path: string; problem: string }) => `${quoted(path)} ${problem}.`,

  "SCH-1": ({ problem }: { problem: string }) => `This is no valid YAML: ${problem}.`,
  "SCH-2": () => "The file is empty: it declares nothing.",
  "SCH-3": () => "A second YAML document begins here, and a file holds one.",
  "SCH-4": ({ feature }: { feature: string }) => `A schema file has no ${feature}.`,
  "SCH-5": ({ key, first }: { key: string; first: string }) =>
    `The key ${quoted(key)} stands here for the second time; the first is at ${first}.`,
  "SCH-6": ({ what, limit }: { what: string; limit: string }) => `${what}; the limit is ${limit}.`,
  "SCH-7": ({ key, where }: { key: string; where: string }) =>
    `${where} has no key ${quoted(key)}.`,
  "SCH-8": ({ key, expected, read }: { key: string; expected: string; read: string }) =>
    `${quoted(key)} must be ${expected}, and this was read as ${read}.`,
  "SCH-9": ({ key, where }: { key: string; where: string }) =>
    `${where} lacks the key ${quoted(key)}.`,
  "SCH-10": ({ key, value, allowed }: { key: string; value: string; allowed: string }) =>
    `${quoted(key)} can not be ${value}: ${allowed}.`,
  "SCH-11": ({ feature }: { feature: string }) => `${feature} is not supported yet.`,
  "SCH-12": ({ name, reason }: { name: string; reason: string }) =>
    `The name ${quoted(name)} is reserved: ${reason}.`,
  "SCH-13": ({ problem }: { problem: string }) => `The bounds can not hold: ${problem}.`,
  "SCH-14": ({ keyword, target }: { keyword: string; target: string }) =>
    `The keyword ${quoted(keyword)} does not apply to ${target}.`,
  "SCH-15": ({ keyword, problem }: { keyword: string; problem: string }) =>
    `The ${keyword} breaks the property's own rules: ${problem}.`,
  "SCH-16": ({ problem, position }: { problem: string; position: number }) =>
    `The pattern is no regular expression: ${problem}, at character ${position}.`,
  "SCH-17": ({ problem }: { problem: string }) =>
    `The pattern can take much longer than the text is long: ${problem}.`,
  "SCH-18": () => "The pattern matches anywhere in a text, since it has no ^ and $ around it.",
  "SCH-19": ({ name, other }: { name: string; other: string }) =>
    `The generated name ${quoted(name)} is taken already, by ${other}.`,
  "SCH-20": ({ resource, first }: { resource: string; first: string }) =>
    `The resource ${quoted(resource)} is declared twice; the other one is at ${first}.`,
  "SCH-21": ({ resource, file }: { resource: string; file: string }) =>
    `The file ${quoted(file)} declares ${quoted(resource)}, and a file is named after its resource.`,
  "SCH-22": ({ character }: { character: string }) =>
    `The control character ${character} can not stand in a schema.`,
  "SCH-23": ({ character }: { character: string }) =>
    `The character ${character} changes the direction of writing, so that text reads differently from what it is.`,
  "SCH-24": ({ path, problem }: { path: string; problem: string }) => `${quoted(path)} ${problem}.`,
  "SCH-25": ({ path }: { path: string }) =>
    `${quoted(path)} is not read: a schema file ends in ".yaml".`,
  "SCH-26": () => "The file is not encoded as UTF-8.",
  "SCH-27": () => "A line ends in a lone carriage return here; lines end in a line feed.",
  "SCH-28": ({ found }: { found: string }) => `There is no service.yaml here${found}.`,
  "SCH-29": () => "The service has no resources: there is no file resources/v1/<resource>.yaml.",
  "SCH-30": ({ value, first }: { value: string; first: string }) =>
    `The value ${quoted(value)} is listed twice; the first is at ${first}.`,
  "SCH-31": ({ problem }: { problem: string }) => `Values nest too deep: ${problem}.`,
  "SCH-32": ({ keyword }: { keyword: string }) =>
    `The ${keyword} looks like a secret, and what stands in a schema is published with the service.`,
  "SCH-33": ({ problem }: { problem: string }) => `The keywords contradict each other: ${problem}.`,
  "SCH-34": ({ read, kept }: { read: string; kept: string }) =>
    `The number ${read} can not be kept exactly: it would become ${kept}.`,
  "SCH-35": ({ text, other }: { text: string; other: string }) =>
    `Without quotes, other readers of YAML take ${quoted(text)} for ${other}.`,
  "SCH-36": ({ problem }: { problem: string }) => `The reference can not be kept: ${problem}.`,
  "SCH-37": ({ problem }: { problem: string }) => `The representation can not be kept: ${problem}.`,
  "SCH-38": ({ problem }: { problem: string }) => `The parent can not be kept: ${problem}.`,
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

  "OWN-1": ({ path }: { path: string }) => `The generated file ${quoted(path)} was edited by hand.`,
  "OWN-2": ({ problem }: { problem: string }) => `generator.lock can not be trusted: ${problem}.`,
  "OWN-3": ({ path }: { path: string }) =>
    `The path ${quoted(path)} leads outside the project or through a symbolic link.`,
  "OWN-4": ({ path }: { path: string }) =>
    `A file that generator did not write stands at ${quoted(path)}, where a generated file belongs.`,
  "OWN-5": ({ problem }: { problem: string }) =>
    `Another run of generator holds the lock: ${problem}.`,
  "OWN-6": ({ path }: { path: string }) =>
    `A directory or a special file stands at ${quoted(path)}, where a generated file belongs.`,
  "OWN-7": ({ made, current }: { made: string; current: string }) =>
    `The files here were written by generator ${made}, which is newer than this one (${current}).`,
} as const;

/** The code of a diagnostic: a rule of the contract, `SCH-n` or `OWN-n`. */
export type Code = keyof typeof MESSAGES;

/** What the message of code `C` needs to know; an empty object when it needs nothing. */
export type MessageArguments<C extends Code> =
  Parameters<(typeof MESSAGES)[C]> extends [infer Given] ? Given : Record<never, never>;
