import { quoted } from "../quoted.js";

/** Mistakes in files, in YAML, and in the shape of its values. */
export const FILES = {
  // The text of the YAML library is quoted, because it knows the mistake best.
  "SCH-1": ({ said }: { said: string }) => `This is not valid YAML: ${said}.`,
  "SCH-434": () => "A conflict of a merge is left in this file.",
  "SCH-2": () => "The file is empty.",
  "SCH-3": () => "A second YAML document begins here; a file can hold only one.",
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
  }) => `A schema file cannot contain ${construct}.`,
  "SCH-5": ({ key, first }: { key: string; first: string }) =>
    `The key ${quoted(key)} is repeated; it first appears at ${first}.`,
  "SCH-6": (given: { what: string; size: number; limit: number; unit: string }) =>
    `${given.what} has ${given.size} ${given.unit}; the limit is ${given.limit} ${given.unit}.`,
  "SCH-7": ({ key, where }: { key: string; where: string }) =>
    `${where} cannot have a key ${quoted(key)}.`,
  "SCH-8": ({ key, expected, read }: { key: string; expected: string; read: string }) =>
    `${quoted(key)} must be ${expected}, but this is read as ${read}.`,
  "SCH-9": ({ key, where }: { key: string; where: string }) =>
    `${where} is missing the key ${quoted(key)}.`,
  "SCH-10": ({ key, value, allowed }: { key: string; value: string; allowed: string }) =>
    `${quoted(key)} cannot be ${value}: it must be one of ${allowed}.`,
  "SCH-22": ({ character }: { character: string }) =>
    `The control character ${character} is not allowed in a schema.`,
  "SCH-23": ({ character }: { character: string }) =>
    `The character ${character} changes the text direction, so what you see differs from what is read.`,
  "SCH-24": ({ path }: { path: string }) => `${quoted(path)} is not a regular file.`,
  "SCH-25": ({ path }: { path: string }) =>
    `${quoted(path)} is not read: the name of a schema file must end in ".yaml".`,
  "SCH-26": () => "The file is not encoded as UTF-8.",
  "SCH-27": () => "This line ends in a carriage return without a line feed.",
  "SCH-28": () => "There is no service.yaml in this folder.",
  "SCH-29": () => "The service has no resources: there is no file resources/v1/<resource>.yaml.",
  "SCH-30": ({ value, first }: { value: string; first: string }) =>
    `The value ${quoted(value)} is repeated; it first appears at ${first}.`,
  "SCH-34": ({ read, kept }: { read: string; kept: string }) =>
    `The number ${read} cannot be represented exactly: it would become ${kept}.`,
  "SCH-35": ({ text, other }: { text: string; other: string }) =>
    `Without quotes, some YAML parsers read ${quoted(text)} as ${other}.`,
  "SCH-106": (given: { defaultSize: number; maximumSize: number }) =>
    `defaultSize is ${given.defaultSize}, but maximumSize is only ${given.maximumSize}.`,
  "SCH-113": ({ path }: { path: string }) =>
    `${quoted(path)} is a symbolic link that is broken or leads outside the project.`,
  "SCH-114": ({ path, error }: { path: string; error: string }) =>
    `${quoted(path)} cannot be read (${error}).`,
  "SCH-115": ({ path }: { path: string }) =>
    `${quoted(path)} is a folder, but the folder of a version can contain only files.`,
  "SCH-116": ({ path }: { path: string }) => `${quoted(path)} is not in the folder of a version.`,
  "SCH-123": ({ limit }: { limit: number }) =>
    `Lists and mappings are nested more than ${limit} levels deep here.`,
  "SCH-124": (given: { key: string; value: string; bound: "least" | "most"; limit: number }) =>
    `${quoted(given.key)} cannot be ${given.value}: it must be at ${given.bound} ${given.limit}.`,
  "SCH-125": ({ key }: { key: string }) => `${quoted(key)} cannot be empty.`,
  "SCH-126": ({ key, value, examples }: { key: string; value: string; examples: string }) =>
    `${quoted(key)} cannot be ${value}: a valid value looks like ${examples}.`,
} as const;
