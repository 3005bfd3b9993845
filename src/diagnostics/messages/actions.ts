import { quoted } from "../quoted.js";

/** Mistakes in actions (OPS-11). */
export const ACTIONS = {
  "SCH-231": ({ name, taken }: { name: string; taken: string }) =>
    `The action cannot be called ${quoted(name)}: that is ${taken}.`,
  "SCH-232": ({ key }: { key: string }) =>
    `The action has ${quoted(key)}, but its resource does not have states.`,
  "SCH-233": ({ key }: { key: string }) =>
    `The action has ${quoted(key)}, but a collection is not one entity.`,
  "SCH-234": ({ to }: { to: string }) =>
    `The action is never allowed: no transition leads to ${quoted(to)}, and it has no \`states\`.`,
  "SCH-235": () => "The action returns the entity, but a collection is not one entity.",
  "SCH-236": ({ grant }: { grant: string }) =>
    `An action on a collection cannot be granted to ${quoted(grant)}: that is about one entity.`,
  "SCH-237": ({ keyword }: { keyword: string }) =>
    `${quoted(keyword)} does not apply here: the input and the response of an action are not stored.`,
  "SCH-320": ({ name }: { name: string }) =>
    `${quoted(name)} has no effect: the input of an action is not shown to anyone.`,
  "SCH-321": (given: {
    reference: string;
    embedded: string;
    other: string;
    action: string;
    readers: string;
    allowed: string;
  }) =>
    `${quoted(given.reference)} shows ${given.embedded} of ${given.other} to everyone who may do ${given.action} (${given.readers}), but not all of them can read ${given.other} (${given.allowed}).`,
  "SCH-322": ({ name, older, part }: { name: string; older: string; part: string }) =>
    `The same code carries out ${quoted(name)} in ${older}, where ${part} differs.`,
} as const;
