/** The JSON Schema of the keywords of a reference. */
export const REFERENCE_KEYWORDS = {
  reference: {
    description:
      "The resource that it refers to (REP-4): one of this service, or one of another with `external: true`.",
    type: "string",
    examples: ["users"],
  },
  embed: {
    description: "Scalar properties of the other that are shown beside its identifier.",
    type: "array",
    items: { type: "string" },
    examples: [["firstName", "lastName"]],
  },
  disclose: {
    description:
      "What is embedded is shown to everybody who can read what holds the reference, also where the other's own access hides it from them, or where it is sensitive (AUT-2).",
    type: "boolean",
    examples: [true],
  },
  external: {
    description:
      "The other is kept by another service; what is embedded of it is null until the service's own code supplies it.",
    type: "boolean",
    examples: [true],
  },
  entity: {
    description:
      "The singular of an external resource, from which its identifier has its name; left out, it is derived from the plural.",
    type: "string",
    examples: ["merchant"],
  },
  onDelete: {
    description:
      "What happens when the other is deleted: it is refused while this refers to it (the default), or this becomes null.",
    enum: ["refuse", "setNull"],
    examples: ["refuse"],
  },
};
