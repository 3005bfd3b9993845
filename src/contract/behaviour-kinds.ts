import { ACCEPTED, NEXT_VERSION, type ChangeKind } from "./change-kind.js";

/** Edits of what a resource does: access, states and aliases. */
export const BEHAVIOUR_KINDS = {
  "read-access-narrowed": {
    title: "Fewer may read",
    says: "{after} may read; it was {before}.",
    readers: "Callers who could read are answered 403 or 404, and lists show them less.",
    needs: ["list", "read"],
    moving: "Make sure that callers are among those who may read: {after}.",
    advice:
      "Where it must be closed at once, say so to the callers. Otherwise close it in the next version.",
  },
  "read-access-widened": {
    title: "More may read",
    says: "{after} may read; it was {before}.",
    advice: "Nothing for clients. Make sure that those who may read now are meant to.",
  },
  "write-access-narrowed": {
    title: "Fewer may write",
    says: "{after} may {path}; it was {before}.",
    writers: "Callers who could do it are answered 403.",
    needs: ["create", "replace", "update", "delete"],
    moving: "Make sure that callers are among those who may: {after}.",
    advice:
      "Where it must be closed at once, say so to the callers. Otherwise close it in the next version.",
  },
  "write-access-widened": {
    title: "More may write",
    says: "{after} may {path}; it was {before}.",
    advice: "Nothing for clients. Make sure that those who may write now are meant to.",
  },
  "deletion-narrowed": {
    title: "Fewer may delete it with what belongs to it",
    says: "To delete it with its {path}, a caller has to be {after}.",
    writers: "Callers who could delete it are answered 403.",
    needs: ["delete"],
    moving: "Make sure that callers who delete are among those who may: {after}.",
    advice:
      "Add `parent` to `delete` at {path}: callers who may delete the parent may then delete them. Otherwise close it in the next version.",
  },
  "deletion-widened": {
    title: "More may delete it with what belongs to it",
    says: "To delete it with its {path}, a caller no longer has to be {before}.",
    advice: "Nothing for clients. Make sure that those who may delete it now are meant to.",
  },
  "states-added": {
    title: "Transitions are restricted",
    says: "{path} has states now: only declared transitions are allowed.",
    writers:
      "Changes of it that were accepted are answered 409, and a create that names a state that is not initial.",
    moving: "Make only the transitions that are declared, and expect 409 for others.",
    advice:
      "Undo it here. The next version can have states of a property that is never null here, or of one of another name.",
  },
  "states-removed": {
    title: "Transitions are no longer restricted",
    says: "{path} has no states any more: every value may follow every other.",
    readers: "They rely on the order of the states.",
    moving: "Expect any value after any other.",
    advice: NEXT_VERSION,
  },
  "initial-state-changed": {
    title: "Entities begin in another state",
    says: "A new entity is `{after}`; it was `{before}`.",
    readers: "A new entity is in another state than they expect.",
    writers: "An entity that they create is in another state, with other transitions.",
    moving: "Expect what is created to be `{after}`.",
    advice: NEXT_VERSION,
  },
  "initial-state-added": {
    title: "A create may name another state",
    says: "A create may name `{after}`.",
    advice: ACCEPTED,
  },
  "initial-state-removed": {
    title: "A create may no longer name a state",
    says: "A create may no longer name `{before}`.",
    writers: "A create that names it is answered 409.",
    needs: ["create"],
    moving: "Create without {before}, and make the transitions that lead there.",
    advice: NEXT_VERSION,
  },
  "transition-added": {
    title: "A transition is allowed",
    says: "`{after}` is allowed now.",
    advice: ACCEPTED,
  },
  "transition-removed": {
    title: "A transition is no longer allowed",
    says: "`{before}` is no longer allowed.",
    writers: "The change is answered 409.",
    needs: ["replace", "update"],
    moving: "Do without {before}.",
    advice: NEXT_VERSION,
  },
  "update-states-narrowed": {
    title: "Updates are allowed in fewer states",
    says: "Updates are allowed in {after}; it was {before}.",
    writers: "Updates in the other states are answered 409.",
    needs: ["replace", "update"],
    moving: "Update in these states alone: {after}.",
    advice: NEXT_VERSION,
  },
  "update-states-widened": {
    title: "Updates are allowed in more states",
    says: "Updates are allowed in {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "delete-states-narrowed": {
    title: "Deletions are allowed in fewer states",
    says: "Deletions are allowed in {after}; it was {before}.",
    writers: "Deletions in the other states are answered 409.",
    needs: ["delete"],
    moving: "Delete in these states alone: {after}.",
    advice: NEXT_VERSION,
  },
  "delete-states-widened": {
    title: "Deletions are allowed in more states",
    says: "Deletions are allowed in {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "alias-added": {
    title: "An alias is added",
    says: "The alias {path} is new.",
    advice: ACCEPTED,
  },
  "alias-removed": {
    title: "An alias is removed",
    says: "The alias {path} is gone.",
    readers: "Its path is answered 404.",
    needs: ["list"],
    moving: "Filter the list itself: the path of {path} is gone.",
    advice: "Bring it back. The next version can do without it.",
  },
  "alias-condition-changed": {
    title: "An alias finds others",
    says: "The alias {path} finds {after}; it found {before}.",
    readers: "Entities that they found are gone, or others appear among them.",
    needs: ["list"],
    moving: "Expect what {path} finds now, or filter the list itself.",
    advice: "Give the new condition an alias of its own.",
  },
  "alias-sort-changed": {
    title: "An alias is sorted otherwise",
    says: "The alias {path} is sorted by {after}; it was {before}.",
    readers: "Who does not send sort gets another order, and other entities on each page.",
    needs: ["list"],
    moving: "Send sort where the order of {path} matters.",
    advice: "Give the new order an alias of its own; callers can also send sort.",
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
