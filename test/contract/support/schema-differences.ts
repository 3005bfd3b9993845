import type { ErrorObject } from "ajv/dist/2020.js";
import type { Json } from "./client.js";

/** What the service says of one value of a body. */
export interface Refusal {
  readonly method: string;
  readonly field: string;
  readonly message: string;
  readonly value: Json | undefined;
}

/** A place where JSON Schema and the service may disagree about a body. */
export interface Difference {
  readonly name: string;
  /** Why no schema says it. */
  readonly reason: string;
  /** The service refuses a value that the schema allows. */
  readonly refusedByService?: (refusal: Refusal) => boolean;
  /** The schema refuses a value that the service takes. */
  readonly refusedBySchema?: (error: ErrorObject, value: Json | undefined) => boolean;
}

/** All of them. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: "blank text",
    reason:
      "Text of white space is null where null is allowed (REP-2), whatever the kind: as schemas, " +
      "two alternatives for each property, which no reader would thank for.",
    refusedByService: ({ message, value }) => message === "must not be empty" && isBlank(value),
    refusedBySchema: (_error, value) => isBlank(value),
  },
  {
    name: "text that no database stores",
    reason: "A second pattern on every text; the description of the document says it once.",
    refusedByService: ({ message }) =>
      /^must not contain (the character NUL|half of)/.test(message),
  },
  {
    name: "bounds of a decimal",
    reason: "It travels as text, which has no bounds in JSON Schema; its description says them.",
    refusedByService: ({ message, value }) =>
      typeof value === "string" && /^must be (at least|at most|more|less|a multiple)/.test(message),
  },
  {
    name: "items that are the same value, written in two ways",
    reason: "`uniqueItems` compares JSON: `1.0` and `1.00`, a UUID in lower and in upper case.",
    refusedByService: ({ message }) => message.startsWith("must not repeat item"),
  },
  {
    name: "a value that was set for good",
    reason: "Whether it is another one depends on what is stored (OPS-4).",
    refusedByService: ({ message }) => message === "cannot be changed",
  },
  {
    name: "what an object that is not there yet needs",
    reason: "Whether there is one depends on what is stored (OPS-4, OPS-5); a new one is whole.",
    refusedByService: ({ method, field, message, value }) =>
      method !== "POST" &&
      field.includes(".") &&
      value === undefined &&
      ["is required", "must not be null"].includes(message),
  },
  {
    name: "the token of a page",
    reason: "It is opaque: what is one depends on the list, and on the page before (QRY-9).",
    refusedByService: ({ field, message }) =>
      field === "after" && /^(is not the token|cannot be given together)/.test(message),
  },
  {
    name: "words of a search",
    reason: "They are counted after a text has been folded; descriptions say it (QRY-7, QRY-8).",
    refusedByService: ({ message }) =>
      /^must (have a word of at least|contain something to search for)/.test(message),
  },
  {
    name: "what a reference leads to",
    reason: "Whether there is one depends on what is stored (REP-4).",
    refusedByService: ({ message }) =>
      message.startsWith("does not refer to an existing ") ||
      message === "is not the one in the path",
  },
  {
    name: "a sort by both ways of a property",
    reason:
      "`uniqueItems` compares texts: `name` and `-name` are two (QRY-4). Its description says it.",
    refusedByService: ({ field, message }) =>
      field === "sort" && /^must not name ".*" twice$/.test(message),
  },
  {
    name: "the year 0",
    reason: "RFC 3339, and so `date-time`, has one; a pattern without it could not be read.",
    refusedByService: ({ value }) => typeof value === "string" && value.startsWith("0000-"),
  },
];

/** The value at a field of an answer (`parts[1].label`) or at a JSON pointer (`/parts/1/label`). */
export function valueAt(body: Json, place: string): Json | undefined {
  const names = place.split(/[.[\]/]+/).filter((name) => name !== "");
  return names.reduce<Json | undefined>((at, name) => {
    if (typeof at !== "object" || at === null) return undefined;
    // A list is an object whose names are its positions.
    return (at as { readonly [name: string]: Json })[name];
  }, body);
}

function isBlank(value: Json | undefined): boolean {
  return typeof value === "string" && value.trim() === "";
}
