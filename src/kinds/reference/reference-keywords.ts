/** The JSON Schema of the keywords of a reference. */
export const REFERENCE_KEYWORDS = {
  reference: {
    description:
      "The resource that the reference points to (REP-4): one of this service, or one of another service with `external: true`.",
    type: "string",
    examples: ["users"],
  },
  embed: {
    description:
      "Properties of the referenced entity that are shown next to its identifier: single values only.",
    type: "array",
    items: { type: "string" },
    examples: [["firstName", "lastName"]],
  },
  disclose: {
    description:
      "Shows the embedded properties to everyone who can read this resource, even if they cannot read the referenced entity or the properties are sensitive (AUT-2).",
    type: "boolean",
    examples: [true],
  },
  external: {
    description:
      "The referenced resource belongs to another service. Embedded properties are strings, of any name, and null until custom code supplies them, in `complete` (generator explain complete).",
    type: "boolean",
    examples: [true],
  },
  entity: {
    description:
      "The singular of an external resource, after which its identifier is named. By default it is derived from the plural.",
    type: "string",
    examples: ["merchant"],
  },
  listedUnder: {
    description:
      "Also lists and creates under the referenced entity: `listedUnder: true` on `merchant` makes /merchants/<merchantId>/orders (CHD-1). Lists can then be filtered by the reference.",
    type: "boolean",
    default: false,
    examples: [true],
  },
  identifier: {
    description:
      "The type of the identifier of an external resource: a UUID (the default), or a string of at most 255 characters.",
    enum: ["uuid", "string"],
    default: "uuid",
    examples: ["string"],
  },
  onDelete: {
    description:
      "The effect of deleting the referenced entity: refuse (the default) refuses the deletion while this reference exists, setNull sets this reference to null.",
    enum: ["refuse", "setNull"],
    examples: ["refuse"],
  },
};
