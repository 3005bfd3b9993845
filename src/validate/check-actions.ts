import { ADVICE, didYouMean, renamed } from "../diagnostics/advice.js";
import { isCamelCase, isLowerCaseName, toCamelCase, toLowerCaseName } from "../naming/casing.js";
import { nearest } from "../naming/nearest.js";
import { isObjectMember } from "../naming/reserved.js";
import type { PathStep } from "../load/source-document.js";
import { checkGrant, grantName } from "./check-access.js";
import { checkPlural } from "./check-property-name.js";
import type { Findings } from "./findings.js";
import { isGrant } from "./grants.js";
import { isMapping, mapping, own, type Mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";
import type { Scope } from "./scope.js";

const OPERATIONS = ["create", "list", "read", "replace", "update", "delete"];
/** What only something that is stored can have. */
const OF_STORED = [
  ...["filterable", "sortable", "unique", "readOnly", "immutable", "renamedFrom"],
  ...["onDelete", "listedUnder"],
];
/** Ties to an entity, which a collection is not. */
const TIES = ["owner", "parent", "custom", "equals"];

/** Keys that are about the entity to which something is done. */
const ABOUT_ONE = ["states", "leadsTo", "emits"];

/** An action of a resource file, as far as it could be understood. */
interface ActionPlace {
  readonly name: string;
  readonly yaml: Mapping;
  readonly path: readonly PathStep[];
}

/** OPS-11: an action has a path of its own, states that there are, and callers that there can be. */
export function checkActions({ value, findings }: CheckedResource, scope: Scope): void {
  for (const [name, action] of Object.entries(mapping(value["actions"]))) {
    const place = { name, yaml: mapping(action), path: ["actions", name] };
    checkName(place, value, findings);
    checkAnswers(place, findings);
    checkActionStates(place, value, findings);
    checkActionAccess(place, value, findings, scope);
  }
}

/** OPS-11: nothing of what an action is sent or answers is stored by itself. */
export function checkActionProperty(
  property: PropertyPlace,
  findings: Findings,
  scope: Scope,
): void {
  const { name, path, yaml, isItem } = property;
  const at = { path, part: "key" } as const;
  if (path[2] === "input" && yaml.disclose === true) {
    const place = { path: [...path, "disclose"], part: "key" } as const;
    findings.add("SCH-320", place, { name }, { suggestion: ADVICE.remove });
  }
  for (const keyword of OF_STORED.filter((one) => own(yaml, one) !== undefined)) {
    const place = { path: [...path, keyword], part: "key" } as const;
    findings.add("SCH-237", place, { keyword }, { suggestion: ADVICE.remove });
  }
  if (isItem) return;
  if (isObjectMember(name)) findings.add("SCH-12", at, { name }, { suggestion: ADVICE.rename });
  else if (!isCamelCase(name)) findings.add("NAM-2", at, { name }, renamed(toCamelCase(name)));
  else checkPlural(property, findings, scope);
}

function checkName({ name, path }: ActionPlace, value: Mapping, findings: Findings): void {
  const at = { path, part: "key" } as const;
  if (!isLowerCaseName(name)) {
    return findings.add("NAM-5", at, { name }, renamed(toLowerCaseName(name)));
  }
  const taken = isObjectMember(name)
    ? "a name that every object has"
    : OPERATIONS.includes(name)
      ? "an operation"
      : Object.hasOwn(mapping(value["aliases"]), name)
        ? "an alias"
        : null;
  if (taken !== null) findings.add("SCH-231", at, { name, taken }, { suggestion: ADVICE.rename });
}

function checkAnswers({ yaml, path }: ActionPlace, findings: Findings): void {
  if (yaml["on"] !== "collection" || yaml["answers"] !== "entity") return;
  const suggestion = "Write `answers: nothing`, or properties for a response of its own.";
  findings.add("SCH-235", { path: [...path, "answers"] }, {}, { suggestion });
}

/** STA: the states in which it is allowed, and where it leads. */
function checkActionStates(place: ActionPlace, value: Mapping, findings: Findings): void {
  const { yaml, path } = place;
  for (const key of ABOUT_ONE.filter((one) => yaml[one] !== undefined)) {
    const at = { path: [...path, key], part: "key" } as const;
    if (yaml["on"] === "collection") {
      return findings.add("SCH-233", at, { key }, { suggestion: ADVICE.remove });
    }
    if (key !== "emits" && !isMapping(value["states"])) {
      const suggestion = "Declare `states` in the resource, or remove it.";
      return findings.add("SCH-232", at, { key }, { suggestion });
    }
  }
  const transitions = mapping(own(value["states"], "transitions"));
  const known = Object.keys(transitions);
  const listed = Array.isArray(yaml["states"]) ? yaml["states"] : [];
  for (const [index, state] of listed.entries() as ArrayIterator<[number, unknown]>) {
    if (typeof state !== "string" || known.includes(state)) continue;
    refuseState(state, known, { path: [...path, "states", index] }, findings);
  }
  checkLead(place, transitions, findings);
}

function checkLead({ yaml, path }: ActionPlace, transitions: Mapping, findings: Findings): void {
  const { leadsTo } = yaml;
  if (typeof leadsTo !== "string" || Object.keys(transitions).length === 0) return;
  const at = { path: [...path, "leadsTo"] };
  const known = Object.keys(transitions);
  if (!known.includes(leadsTo)) return refuseState(leadsTo, known, at, findings);
  // With states, it makes its own transitions.
  if (yaml["states"] !== undefined) return;
  const isLedTo = Object.values(transitions).some(
    (next) => Array.isArray(next) && next.includes(leadsTo),
  );
  if (isLedTo) return;
  const suggestion = "List the states that it leads from in `states`.";
  findings.add("SCH-234", at, { to: leadsTo }, { suggestion });
}

function refuseState(
  state: string,
  known: readonly string[],
  at: { readonly path: readonly PathStep[] },
  findings: Findings,
): void {
  const near = nearest(state, known);
  const suggestion = near === null ? `States are ${known.join(", ")}.` : didYouMean(near);
  findings.add("STA-1", at, { state }, { suggestion });
}

function checkActionAccess(
  { yaml, path }: ActionPlace,
  value: Mapping,
  findings: Findings,
  scope: Scope,
): void {
  const grants = Array.isArray(yaml["access"]) ? yaml["access"] : [];
  for (const [index, grant] of grants.entries() as ArrayIterator<[number, unknown]>) {
    if (!isGrant(grant)) continue;
    const at = { path: [...path, "access", index] };
    const name = grantName(grant);
    if (yaml["on"] === "collection" && TIES.includes(name)) {
      findings.add("SCH-236", at, { grant: name }, { suggestion: didYouMean("authenticated") });
      continue;
    }
    const around = { ...scope, hasParent: value["parent"] !== undefined };
    checkGrant({ grant, operation: "update", ...at }, findings, around);
  }
}
