import { ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { actionWays } from "../model/action-ways.js";
import { filterLeaves, leavesOf } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
import { seenBy } from "../model/seen-by.js";
import { stateWays } from "../model/state-ways.js";
import { arrayCode, objectCode } from "./layout.js";
import { invalidCode } from "./invalid-code.js";
import { neededReferences, type Needed } from "./needed-references.js";
import { comparedLists, validBody, variedProperties } from "./test-values.js";
import { valueCode } from "./value-code.js";

/** What no two of these share together, and what has to differ so that bodies can be sent again. */
export function togetherPart(resource: ResourceModel) {
  const varied = variedProperties(resource);
  const lists = comparedLists(resource).map((names) => arrayCode(names.map(literal)));
  return {
    isUniqueTogether: lists.length > 0,
    uniqueTogether: arrayCode(lists, { indent: 2, before: "uniqueTogether: ", after: "," }),
    isVaried: varied.length > 0,
    varied: arrayCode(varied.map(literal), { indent: 2, before: "varied: ", after: "," }),
  };
}

/** AUT-2: whether its entities have another name, whose access is another one. */
export function isShownElsewhere({ authenticated, isRepresentation }: ResourceModel): boolean {
  return authenticated && isRepresentation;
}

/** AUT-2: the other paths that could show what access hides. */
export function otherPathsPart(resource: ResourceModel) {
  const { entity, aliases, authenticated } = resource;
  return {
    isShownElsewhere: isShownElsewhere(resource),
    original: ts`${word(entity.name.singular)}Facts`,
    isAliased: authenticated && aliases.length > 0,
    aliases: arrayCode(
      aliases.map((alias) => literal(alias.name)),
      { indent: 2, before: "aliases: ", after: "," },
    ),
  };
}

/** What a list is sorted by (QRY-4), and what is filtered by bounds, with a bound and with what is none (QRY-3). */
export function searchPart(resource: ResourceModel) {
  const sorts = leavesOf(resource.properties).filter(({ sortable }) => sortable);
  const leaves = filterLeaves(resource).filter(({ filterable }) => filterable === "range");
  const ranges = leaves.map(({ path, type }) => {
    const [bound = 1] = kindOf(type).samples(type).valid;
    const entries = [
      ts`path: ${literal(path)}`,
      ts`bound: ${valueCode(bound, { indent: 4 })}`,
      ts`wrong: "x"`,
    ];
    return objectCode(entries, { indent: 4, after: "," });
  });
  const around = { indent: 2, before: "ranges: ", after: ",", expanded: ranges.length > 1 };
  return {
    sorts: arrayCode(
      sorts.map(({ path }) => literal(path)),
      { indent: 2, before: "sorts: ", after: "," },
    ),
    isRanged: ranges.length > 0,
    ranges: arrayCode(ranges, around),
  };
}

/** OPS-11: what actions are sent, and who may do them. */
export function actionFacts(resource: ResourceModel): TsCode {
  const { actions, entity } = resource;
  const reserved = reservedTransitions(resource);
  const facts = actions.map(({ name, on, access, input, answers, states }) => {
    const isAllowedAtFirst =
      states === null || (entity.states !== null && states.includes(entity.states.initial));
    const body = validBody(input.properties);
    const entries = [
      ts`name: ${literal(name)}`,
      ts`on: ${literal(on)}`,
      ts`grants: ${arrayCode(access.map(literal), { indent: 6, before: "grants: ", after: "," })}`,
      ts`valid: ${valueCode(body, { indent: 6, before: "valid: ", after: "," })}`,
      ts`invalid: ${invalidCode(input.properties, 6)}`,
      ts`answers: ${literal(answers)}`,
      ...actionNeeds(input.properties),
      ts`isAllowedAtFirst: ${isAllowedAtFirst}`,
      ...(reserved[name] ?? []),
    ];
    return objectCode(entries, { indent: 4, expanded: true });
  });
  return arrayCode(facts, { indent: 2, before: "actions: ", after: ",", expanded: true });
}

/** What the tests are told of a reference that a body must hold; `facts` are those of the other. */
export function needEntries({ property }: Needed, facts: TsCode): TsCode[] {
  return [
    ts`property: ${literal(property.path)}`,
    ts`facts: ${facts}`,
    ...(property.type.kind === "array" ? [ts`items: ${property.type.minItems}`] : []),
  ];
}

/** STA-1: for each action, the transition of its own that updates come to first, in the words of its version. */
function reservedTransitions(resource: ResourceModel): Readonly<Record<string, readonly TsCode[]>> {
  const [seen = resource] = seenBy({ resources: [resource] }).resources;
  const { states } = seen.entity;
  if (states === null) return {};
  const codes = actionWays(states, seen.actions).flatMap(({ action, from, to }) => {
    const way = stateWays(states).find(({ state }) => from.includes(state));
    if (way === undefined) return [];
    const entries = [
      ts`property: ${literal(states.property)}`,
      ts`way: ${arrayCode(way.states.map(literal))}`,
      ts`to: ${literal(to)}`,
    ];
    const around = { indent: 6, before: "reserved: ", after: "," };
    return [[action.name, [ts`reserved: ${objectCode(entries, around)}`]] as const];
  });
  return Object.fromEntries(codes);
}

/** References that the body of an action must hold: both resources may refer to each other. */
function actionNeeds(properties: readonly PropertyModel[]): TsCode[] {
  const needs = neededReferences({ properties }).map((needed) =>
    objectCode(needEntries(needed, ts`() => ${word(needed.name.singular)}Facts`), { indent: 8 }),
  );
  if (needs.length === 0) return [];
  const around = { indent: 6, before: "needs: ", after: ",", expanded: needs.length > 1 };
  return [ts`needs: ${arrayCode(needs, around)}`];
}
