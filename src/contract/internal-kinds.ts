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
    title: "The log changes",
    says: "{path} is {after}; it was {before}.",
    isInternal: true,
    advice: "Nothing for clients. Existing log entries keep it.",
  },
  "index-added": {
    title: "An index is added",
    says: "There is an index of `{after}`.",
    isInternal: true,
    advice: "Nothing: lists find the same, and faster. The next migration makes it.",
  },
  "index-removed": {
    title: "An index is removed",
    says: "There is no index of `{before}` any more.",
    isInternal: true,
    advice: "Nothing: lists find the same. Make sure that none of them relied on its speed.",
  },
  "tokens-changed": {
    title: "Tokens are taken from elsewhere, or read otherwise",
    says: "{path} of authentication is `{after}`; it was `{before}`.",
    isInternal: true,
    advice:
      "It is the operator's business, and the environment overrides it. Where callers need other tokens, tell them first.",
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
