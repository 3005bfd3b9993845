import { ACCEPTED, NEXT_VERSION, type ChangeKind } from "./change-kind.js";

/** Edits of actions (OPS-11); what they are sent and answer is told as of properties. */
export const ACTION_KINDS = {
  "action-added": {
    title: "An action is added",
    says: "The action {path} is new.",
    advice: ACCEPTED,
  },
  "action-removed": {
    title: "An action is removed",
    says: "The action {path} is gone.",
    writers: "Its path is answered 404.",
    moving: "Do without {path}.",
    advice: "Bring it back. The next version can do without it.",
  },
  "action-moved": {
    title: "An action is about something else",
    says: "The action {path} is on {after}; it was on {before}.",
    writers: "Its path is answered 404.",
    moving: "Post to the path of {path} on {after}.",
    advice: NEXT_VERSION,
  },
  "action-answer-changed": {
    title: "An action answers otherwise",
    says: "The action {path} answers {after}; it answered {before}.",
    readers: "They find another body than they expect.",
    moving: "Read {after} in the response of {path}.",
    advice: NEXT_VERSION,
  },
  "action-states-narrowed": {
    title: "An action is allowed in fewer states",
    says: "The action {path} is allowed in {after}; it was {before}.",
    writers: "In the other states it is answered 409.",
    moving: "Do {path} in these states alone: {after}.",
    advice: NEXT_VERSION,
  },
  "action-states-widened": {
    title: "An action is allowed in more states",
    says: "The action {path} is allowed in {after}; it was {before}.",
    advice: ACCEPTED,
  },
  "action-leads-elsewhere": {
    title: "An action leads to another state",
    says: "The action {path} leads to {after}; it led to {before}.",
    readers: "They find the entity in another state than they expect.",
    writers: "Other transitions lead on from there.",
    moving: "Expect {after} after {path}.",
    advice: NEXT_VERSION,
  },
  "action-access-narrowed": {
    title: "Fewer may do an action",
    says: "{after} may do the action {path}; it was {before}.",
    writers: "Callers who could do it are answered 403.",
    moving: "Make sure that callers are among those who may: {after}.",
    advice:
      "Where it must be closed at once, say so to the callers. Otherwise close it in the next version.",
  },
  "action-access-widened": {
    title: "More may do an action",
    says: "{after} may do the action {path}; it was {before}.",
    advice: "Nothing for clients. Make sure that those who may do it now are meant to.",
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;
