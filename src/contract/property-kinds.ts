import { ACCEPTED, NEXT_VERSION, type ChangeKind } from "./change-kind.js";

/** Edits of which properties there are, and what can be done with them. */
export const PROPERTY_KINDS = {
  "property-added": {
    title: "A property is added that may be left out",
    says: "{path} is new; it may be left out.",
    advice: "Nothing: a PUT may leave it out, and it then keeps its value.",
  },
  "property-added-in-list": {
    title: "A property is added to the items of a list",
    says: "{path} is new; it may be left out.",
    advice:
      "Nothing breaks. A client that does not know it sends the list without it, and so empties it: put what must not be lost beside the list.",
  },
  "property-added-required": {
    title: "A property is added that must be sent",
    says: "{path} is new, and must be sent.",
    writers: "Bodies without it are answered 400.",
    needs: ["create"],
    advice: "Give it a default, or leave `required` out, here; require it in the next version.",
  },
  "property-added-read-only": {
    title: "A property is added that only the service writes",
    says: "{path} is new; only the service writes it.",
    advice: ACCEPTED,
  },
  "property-removed": {
    title: "A property is removed",
    says: "{path} is gone.",
    readers: "They look for it in answers.",
    writers: "Bodies with it are answered 400, since it is unknown.",
    advice:
      "Bring it back here; leave it out in the next version (`removed`), or rename it there (`renamedFrom`).",
  },
  "property-renamed": {
    title: "A property is renamed",
    says: "{path} is what `{before}` was.",
    readers: "They look for it under its old name.",
    writers: "Bodies with the old name are answered 400, since it is unknown.",
    advice: "Rename it in the next version (`renamedFrom`), where this one keeps the old name.",
  },
  "property-converted": {
    title: "A property of the next version is made of others of this one",
    says: "{path} is made by the service's own code of what is gone.",
    advice: "Write both functions of the pair in src/custom/conversions: this version goes on.",
  },
  "property-became-required": {
    title: "A property may no longer be null",
    says: "{path} may no longer be null.",
    writers: "Bodies with null for it, or without it, are answered 400.",
    advice: "Leave `required` out here, and require it in the next version with a default.",
  },
  "property-became-nullable": {
    title: "A property may be null",
    says: "{path} may be null.",
    readers: "They take it for granted that it is there.",
    advice: "Keep `required` here, and drop it in the next version.",
  },
  "property-became-read-only": {
    title: "A property can no longer be set",
    says: "Only the service writes {path} now.",
    writers: "What they send for it is ignored.",
    advice: NEXT_VERSION,
  },
  "property-became-writable": {
    title: "A property can be set",
    says: "{path} can be set by clients now.",
    writers: "A PUT without it is answered 400.",
    needs: ["replace"],
    advice:
      "Make it writable in the next version; or add a new property here, which a PUT may leave out.",
  },
  "property-became-immutable": {
    title: "A property can no longer be changed",
    says: "{path} can be set on create only.",
    writers: "A PUT or PATCH with another value is answered 400.",
    needs: ["replace", "update"],
    advice: NEXT_VERSION,
  },
  "property-became-mutable": {
    title: "A property can be changed",
    says: "{path} can be changed now.",
    writers: "A PUT without it is answered 400.",
    needs: ["replace"],
    advice: NEXT_VERSION,
  },
  "property-became-unique": {
    title: "A property must be unique",
    says: "No two entities may have the same {path}.",
    writers: "A value that another entity has is answered 409.",
    advice: NEXT_VERSION,
  },
  "property-no-longer-unique": {
    title: "A property need not be unique",
    says: "Several entities may have the same {path}.",
    readers: "Who looks one up by it may find several.",
    advice: NEXT_VERSION,
  },
  "filter-added": {
    title: "A filter is added",
    says: "Lists can be filtered by {path}.",
    advice: ACCEPTED,
  },
  "filter-removed": {
    title: "A filter is removed",
    says: "Lists can no longer be filtered by {path}.",
    readers: "The parameter is answered 400.",
    needs: ["list"],
    advice: NEXT_VERSION,
  },
  "sort-added": {
    title: "A sort is added",
    says: "Lists can be sorted by {path}.",
    advice: ACCEPTED,
  },
  "sort-removed": {
    title: "A sort is removed",
    says: "Lists can no longer be sorted by {path}.",
    readers: "The parameter is answered 400.",
    needs: ["list"],
    advice: NEXT_VERSION,
  },
  "default-added": {
    title: "A property gets a default",
    says: "{path} is `{after}` where it is left out; it was null.",
    writers: "Who leaves it out, and means null, stores another value.",
    needs: ["create"],
    advice: NEXT_VERSION,
  },
  "default-given": {
    title: "A required property gets a default",
    says: "{path} is `{after}` where it is left out; it had to be sent.",
    advice: ACCEPTED,
  },
  "default-changed": {
    title: "A default changes",
    says: "{path} is `{after}` where it is left out; it was `{before}`.",
    writers: "Who leaves it out stores another value.",
    needs: ["create"],
    advice: NEXT_VERSION,
  },
  "default-removed": {
    title: "A default is removed",
    says: "{path} has no default any more; it was `{before}`.",
    writers: "Who leaves it out stores null, or is answered 400.",
    needs: ["create"],
    advice: NEXT_VERSION,
  },
  "property-deprecated": {
    title: "A property is deprecated",
    says: "{path} is deprecated.",
    advice: "Nothing for now. Say in its description what to use instead.",
  },
  "property-no-longer-deprecated": {
    title: "A property is no longer deprecated",
    says: "{path} is no longer deprecated.",
    advice: ACCEPTED,
  },
  "reference-target-changed": {
    title: "A reference leads elsewhere",
    says: "{path} refers to {after}; it referred to {before}.",
    readers: "They look for the identifier under its old name, in another resource.",
    writers: "Identifiers that they send are unknown.",
    advice: "Add a reference of another name.",
  },
  "identifier-became-text": {
    title: "An external identifier may be any text",
    says: "The identifier in {path} may be any text; it was a UUID.",
    readers: "They read UUIDs.",
    advice: "Add a reference of another name, or change it in the next version.",
  },
  "identifier-became-uuid": {
    title: "An external identifier must be a UUID",
    says: "The identifier in {path} must be a UUID; it could be any text.",
    writers: "Other identifiers are answered 400.",
    advice: NEXT_VERSION,
  },
  "embed-added": {
    title: "A reference shows more",
    says: "{path} is shown now.",
    advice: ACCEPTED,
  },
  "embed-removed": {
    title: "A reference shows less",
    says: "{path} is no longer shown.",
    readers: "They look for it in answers.",
    advice: NEXT_VERSION,
  },
  "on-delete-refused": {
    title: "A deletion is refused while something refers to it",
    says: "What {path} refers to can no longer be deleted.",
    writers: "The deletion is answered 409.",
    needs: ["create", "list", "read", "replace", "update", "delete"],
    advice: NEXT_VERSION,
  },
  "on-delete-allowed": {
    title: "A deletion lets go of the reference",
    says: "What {path} refers to can be deleted; it is null then.",
    advice: ACCEPTED,
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
