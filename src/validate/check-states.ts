import { didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";
import { isMapping, mapping, own } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";

/** STA-1: the states are the values of one enum, each can be reached, and none is unknown. */
export function checkStates({ value, properties, findings }: CheckedResource): void {
  const { states, actions } = value;
  if (!isMapping(states)) return;
  const property = stateProperty(states, properties, findings);
  if (property === null) return;
  const values = (property.yaml.enum ?? []).filter((value) => typeof value === "string");
  for (const { name, path } of namedStates(states)) {
    if (!values.includes(name)) refuseUnknown({ name, path }, values, findings);
  }
  const transitions = mapping(states["transitions"]);
  for (const value of values.filter((value) => own(transitions, value) === undefined)) {
    const suggestion = `Add \`${value}: []\` if it is a final state.`;
    findings.add("SCH-69", at("transitions"), { state: value }, { suggestion });
  }
  checkReach(states, [values, waysOf(actions)], findings);
  checkDefault(states, property, findings);
}

/** The enum that holds the state, if the file names a valid one. */
function stateProperty(
  states: unknown,
  properties: readonly PropertyPlace[],
  findings: Findings,
): PropertyPlace | null {
  const name = own(states, "property");
  if (typeof name !== "string") return null;
  const atRoot = properties.filter(({ holders }) => holders.length === 0);
  const property = atRoot.find((candidate) => candidate.name === name);
  if (property === undefined) {
    const near = nearest(
      name,
      atRoot.map((candidate) => candidate.name),
    );
    const suggestion = didYouMean(near);
    findings.add("SCH-66", at("property", "value"), { name }, { suggestion });
    return null;
  }
  const isEnum = property.kind === "enum";
  if (isEnum && property.yaml.readOnly !== true) return property;
  if (isEnum) findings.add("SCH-68", at("property", "value"), { name });
  else if (property.kind !== null) findings.add("SCH-67", at("property", "value"), { name });
  return null;
}

interface NamedState {
  readonly name: string;
  readonly path: readonly PathStep[];
}

/** Every state that is named anywhere, with the place. */
function namedStates(states: unknown): NamedState[] {
  const transitions = Object.entries(mapping(own(states, "transitions")));
  return [
    ...initialStates(states),
    ...transitions.flatMap(([from, next]) => [
      { name: from, path: ["transitions", from] },
      ...listed(next, ["transitions", from]),
    ]),
    ...listed(own(states, "updatableIn"), ["updatableIn"]),
    ...listed(own(states, "deletableIn"), ["deletableIn"]),
  ];
}

/** One state, or a list of those that a create may name. */
function initialStates(states: unknown): NamedState[] {
  const initial = own(states, "initial");
  return typeof initial === "string"
    ? [{ name: initial, path: ["initial"] }]
    : listed(initial, ["initial"]);
}

function listed(names: unknown, path: readonly PathStep[]): NamedState[] {
  if (!Array.isArray(names)) return [];
  return names.flatMap((name: unknown, index) =>
    typeof name === "string" ? [{ name, path: [...path, index] }] : [],
  );
}

function refuseUnknown(state: NamedState, values: readonly string[], findings: Findings): void {
  const near = nearest(state.name, values);
  const suggestion = near === null ? `States are ${values.join(", ")}.` : didYouMean(near);
  const isKey = state.path.length === 2 && state.path[0] === "transitions";
  const place = { path: ["states", ...state.path], part: isKey ? "key" : "value" } as const;
  findings.add("STA-1", place, { state: state.name }, { suggestion });
}

/** From where actions lead to a state by themselves (OPS-11). */
interface ActionWay {
  readonly from: readonly string[];
  readonly to: string;
}

function waysOf(actions: unknown): ActionWay[] {
  return Object.values(mapping(actions)).flatMap((action) => {
    const [from, to] = [own(action, "states"), own(action, "leadsTo")];
    return typeof to === "string" ? [{ from: listed(from, []).map(({ name }) => name), to }] : [];
  });
}

/** A state that cannot be reached means a missing transition or a superfluous value. */
function checkReach(
  states: unknown,
  [values, ways]: readonly [readonly string[], readonly ActionWay[]],
  findings: Findings,
): void {
  const initials = initialStates(states).map(({ name }) => name);
  if (initials.length === 0 || !initials.every((one) => values.includes(one))) return;
  const reached = new Set(initials);
  for (const state of reached) {
    for (const { name } of listed(own(own(states, "transitions"), state), [])) reached.add(name);
    for (const { from, to } of ways) if (from.includes(state)) reached.add(to);
  }
  const unreached = values.filter((value) => !reached.has(value));
  if (unreached.length === 0) return;
  const initial = initials.join(" or ");
  findings.add("SCH-70", at("transitions"), { initial, unreached: unreached.join(", ") });
}

/** The first initial state is the default; another one would contradict it. */
function checkDefault(states: unknown, { yaml, path }: PropertyPlace, findings: Findings): void {
  const [initial] = initialStates(states);
  if (yaml.default === undefined || initial === undefined) return;
  if (yaml.default === initial.name) return;
  const given = { value: String(yaml.default), initial: initial.name };
  const suggestion = "Remove the default.";
  findings.add("SCH-71", { path: [...path, "default"] }, given, { suggestion });
}

function at(key: string, part: "key" | "value" = "key") {
  return { path: ["states", key], part } as const;
}
