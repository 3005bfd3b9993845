import { quoted } from "../quoted.js";

/** What can be wrong with files, with YAML, and with the shape of what it holds. */
export const FILES = {
  // What the YAML library says is quoted: it knows the place better than we could.
  "SCH-1": ({ said }: { said: string }) => `This is not valid YAML: ${said}.`,
  "SCH-2": () => "The file is empty: it declares nothing.",
  "SCH-3": () => "A second YAML document begins here, and a file holds one.",
  "SCH-4": ({
    construct,
  }: {
    construct:
      | "aliases"
      | "anchors"
      | "directives"
      | "keys that are lists or mappings"
      | "merge keys"
      | "tags";
  }) => `A schema file has no ${construct}.`,
  "SCH-5": ({ key, first }: { key: string; first: string }) =>
    `The key ${quoted(key)} stands here for the second time; the first is at ${first}.`,
  "SCH-6": (given: { what: string; size: number; limit: number; unit: string }) =>
    `${given.what} has ${given.size} ${given.unit}; the limit is ${given.limit} ${given.unit}.`,
  "SCH-7": ({ key, where }: { key: string; where: string }) =>
    `${where} has no key ${quoted(key)}.`,
  "SCH-8": ({ key, expected, read }: { key: string; expected: string; read: string }) =>
    `${quoted(key)} must be ${expected}, and this was read as ${read}.`,
  "SCH-9": ({ key, where }: { key: string; where: string }) =>
    `${where} lacks the key ${quoted(key)}.`,
  "SCH-10": ({ key, value, allowed }: { key: string; value: string; allowed: string }) =>
    `${quoted(key)} cannot be ${value}: it is one of ${allowed}.`,
  "SCH-11": ({ key }: { key: string }) => `The key ${quoted(key)} is not supported yet.`,
  "SCH-22": ({ character }: { character: string }) =>
    `The control character ${character} cannot stand in a schema.`,
  "SCH-23": ({ character }: { character: string }) =>
    `The character ${character} changes the direction of writing, so that text reads differently from what it is.`,
  "SCH-24": ({ path }: { path: string }) => `${quoted(path)} is not a regular file.`,
  "SCH-25": ({ path }: { path: string }) =>
    `${quoted(path)} is not read: a schema file ends in ".yaml".`,
  "SCH-26": () => "The file is not encoded as UTF-8.",
  "SCH-27": () => "A line ends in a lone carriage return here; lines end in a line feed.",
  "SCH-28": () => "There is no service.yaml here.",
  "SCH-29": () => "The service has no resources: there is no file resources/v1/<resource>.yaml.",
  "SCH-30": ({ value, first }: { value: string; first: string }) =>
    `The value ${quoted(value)} is listed twice; the first is at ${first}.`,
  "SCH-34": ({ read, kept }: { read: string; kept: string }) =>
    `The number ${read} cannot be kept exactly: it would become ${kept}.`,
  "SCH-35": ({ text, other }: { text: string; other: string }) =>
    `Without quotes, other readers of YAML take ${quoted(text)} for ${other}.`,
  "SCH-106": (given: { defaultSize: number; maximumSize: number }) =>
    `defaultSize is ${given.defaultSize}, and maximumSize only ${given.maximumSize}.`,
  "SCH-113": ({ path }: { path: string }) =>
    `${quoted(path)} is a symbolic link that leads out of the project, or nowhere.`,
  "SCH-114": ({ path, error }: { path: string; error: string }) =>
    `${quoted(path)} cannot be read (${error}).`,
  "SCH-115": ({ path }: { path: string }) =>
    `${quoted(path)} is a folder, and a folder of a version holds files only.`,
  "SCH-116": ({ path }: { path: string }) => `${quoted(path)} is not in a folder of a version.`,
  "SCH-123": ({ limit }: { limit: number }) =>
    `Lists and mappings nest deeper than ${limit} levels here.`,
  "SCH-124": (given: { key: string; value: string; bound: "least" | "most"; limit: number }) =>
    `${quoted(given.key)} cannot be ${given.value}: it is at ${given.bound} ${given.limit}.`,
  "SCH-125": ({ key }: { key: string }) => `${quoted(key)} cannot be empty.`,
  "SCH-126": ({ key, value, examples }: { key: string; value: string; examples: string }) =>
    `${quoted(key)} cannot be ${value}: it is written like ${examples}.`,
  "SCH-127": ({ status }: { status: string }) =>
    `A version that is ${status} is not supported yet.`,
  "SCH-128": ({ name }: { name: string }) =>
    `More than one version (${name}) is not supported yet.`,
} as const;
