import type { ChangeKind } from "./change-kind.js";

const DOCUMENTED = "Nothing: the documentation follows.";

/** Edits that no request and no answer shows. */
export const INTERNAL_KINDS = {
  "description-changed": {
    title: "A description changes",
    says: "The description of {path} has changed.",
    isInternal: true,
    advice: DOCUMENTED,
  },
  "example-changed": {
    title: "An example changes",
    says: "The example of {path} has changed.",
    isInternal: true,
    advice: DOCUMENTED,
  },
  "sensitivity-changed": {
    title: "What is logged changes",
    says: "{path} is {after}; it was {before}.",
    isInternal: true,
    advice: "Nothing for clients. What the log holds already stays there.",
  },
  "identifiers-changed": {
    title: "Identifiers are made otherwise",
    says: "New identifiers are {after}; they were {before}.",
    isInternal: true,
    advice: "Nothing: identifiers are opaque, and those that there are stay.",
  },
  "layout-changed": {
    title: "Answers are laid out otherwise",
    says: "Answers are {after}; they were {before}.",
    isInternal: true,
    advice: "Nothing: JSON means the same on one line and on several.",
  },
  "capacity-changed": {
    title: "The capacity of a process changes",
    says: "{path} is {after}; it was {before}.",
    isInternal: true,
    advice: "Nothing: it is the operator's business.",
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
