import { ACCEPTED, NEXT_VERSION, type ChangeKind } from "./change-kind.js";

const REFUSED = "Values that were accepted are answered 400.";
const TIGHTENED = "Keep the bound here, and tighten it in the next version.";

/** Edits of which values there are. A bound is a promise to those who write: a looser one breaks nobody. */
export const VALUE_KINDS = {
  "type-changed": {
    title: "The type changes",
    says: "{path} is {after}; it was {before}.",
    readers: "They read values of the old type.",
    writers: "They send values of the old type.",
    advice: "Add a property of another name, or change it in the next version (`converted`).",
  },
  "integer-became-number": {
    title: "A whole number may have a fraction",
    says: "{path} may have a fraction; it was a whole number.",
    readers: "They read whole numbers.",
    advice: "Add a property of another name, or change it in the next version.",
  },
  "number-became-integer": {
    title: "A number must be whole",
    says: "{path} must be a whole number; it could have a fraction.",
    writers: "Values with a fraction are answered 400.",
    advice: NEXT_VERSION,
  },
  "enum-opened": {
    title: "A closed list becomes free text",
    says: "{path} may be any text; it was one of {before}.",
    readers: "They know the values of the list alone.",
    advice: "Add a property of another name, or change it in the next version.",
  },
  "text-became-enum": {
    title: "Free text becomes a closed list",
    says: "{path} must be one of {after}; it was any text.",
    writers: REFUSED,
    advice: NEXT_VERSION,
  },
  "enum-value-added": {
    title: "A value is added to a list",
    says: "{path} may be `{after}`.",
    readers: "They do not know the value.",
    advice: "Add it in the next version, where `inOlderVersions` says what this one shows instead.",
  },
  "enum-value-shown-instead": {
    title: "A value is added in the next version, and this one shows another instead",
    says: "{path} may be `{after}`, and the version before shows `{before}` instead.",
    advice: ACCEPTED,
  },
  "enum-value-removed": {
    title: "A value is removed from a list",
    says: "{path} can no longer be `{before}`.",
    writers: "The value is answered 400.",
    advice: NEXT_VERSION,
  },
  "filter-value-removed": {
    title: "A list can no longer be filtered by a value",
    says: "A filter by {path} no longer takes `{before}`.",
    readers: "The parameter is answered 400.",
    needs: ["list"],
    advice: NEXT_VERSION,
  },
  "minimum-length-raised": {
    title: "A text must be longer",
    says: "minLength of {path} is {after}; it was {before}.",
    writers: REFUSED,
    advice: TIGHTENED,
  },
  "minimum-length-lowered": {
    title: "A text may be shorter",
    says: "minLength of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "maximum-length-lowered": {
    title: "A text must be shorter",
    says: "maxLength of {path} is {after}; it was {before}.",
    writers: REFUSED,
    advice: TIGHTENED,
  },
  "maximum-length-raised": {
    title: "A text may be longer",
    says: "maxLength of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "pattern-added": {
    title: "A text must match a pattern",
    says: "{path} must match `{after}`.",
    writers: REFUSED,
    advice: NEXT_VERSION,
  },
  "pattern-changed": {
    title: "A text must match another pattern",
    says: "{path} must match `{after}`; it was `{before}`.",
    writers: "Values that were accepted may be answered 400: nobody can tell by the patterns.",
    advice: NEXT_VERSION,
  },
  "pattern-removed": {
    title: "A text need not match a pattern",
    says: "{path} need not match `{before}` any more.",
    advice: ACCEPTED,
  },
  "format-added": {
    title: "A text must have a form",
    says: "{path} must be of the form {after}.",
    writers: REFUSED,
    advice: NEXT_VERSION,
  },
  "format-changed": {
    title: "A text must have another form",
    says: "{path} must be of the form {after}; it was {before}.",
    readers: "They take it apart by the old form.",
    writers: REFUSED,
    advice: "Add a property of another name, or change it in the next version (`converted`).",
  },
  "format-removed": {
    title: "A text need not have its form",
    says: "{path} need not be of the form {before} any more.",
    readers: "They take it apart by the form.",
    advice: NEXT_VERSION,
  },
  "minimum-raised": {
    title: "A number must be larger",
    says: "minimum of {path} is {after}; it was {before}.",
    writers: REFUSED,
    advice: TIGHTENED,
  },
  "minimum-lowered": {
    title: "A number may be smaller",
    says: "minimum of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "maximum-lowered": {
    title: "A number must be smaller",
    says: "maximum of {path} is {after}; it was {before}.",
    writers: REFUSED,
    advice: TIGHTENED,
  },
  "maximum-raised": {
    title: "A number may be larger",
    says: "maximum of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "multiple-tightened": {
    title: "A number must be a multiple of another one",
    says: "multipleOf of {path} is {after}; it was {before}.",
    writers: REFUSED,
    advice: TIGHTENED,
  },
  "multiple-loosened": {
    title: "A number may be a multiple of less",
    says: "multipleOf of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "scale-raised": {
    title: "A decimal has more fraction digits",
    says: "scale of {path} is {after}; it was {before}.",
    readers: "They read texts of so many digits, and may keep no more.",
    advice: "Add a property of another name, or change it in the next version.",
  },
  "scale-lowered": {
    title: "A decimal has fewer fraction digits",
    says: "scale of {path} is {after}; it was {before}.",
    readers: "They read texts of so many digits.",
    writers: "Values with more digits are answered 400.",
    advice: NEXT_VERSION,
  },
  "minimum-items-raised": {
    title: "A list must be longer",
    says: "minItems of {path} is {after}; it was {before}.",
    writers: "Lists that were accepted are answered 400.",
    advice: TIGHTENED,
  },
  "minimum-items-lowered": {
    title: "A list may be shorter",
    says: "minItems of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "maximum-items-lowered": {
    title: "A list must be shorter",
    says: "maxItems of {path} is {after}; it was {before}.",
    writers: "Lists that were accepted are answered 400.",
    advice: TIGHTENED,
  },
  "maximum-items-raised": {
    title: "A list may be longer",
    says: "maxItems of {path} is {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "items-became-unique": {
    title: "The items of a list must differ",
    says: "No item of {path} may be there twice.",
    writers: "Lists that were accepted are answered 400.",
    advice: TIGHTENED,
  },
  "items-no-longer-unique": {
    title: "The items of a list need not differ",
    says: "An item of {path} may be there twice.",
    advice: ACCEPTED,
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
