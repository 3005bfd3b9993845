import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ActionModel } from "../model/action-model.js";
import { filterLeaves, leavesOf } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
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
function isShownElsewhere({ authenticated, isRepresentation }: ResourceModel): boolean {
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

/** OPS-11: what actions are sent, and who may do them, of a resource in the words of its version. */
export function actionFacts({ actions, entity }: ResourceModel): TsCode {
  const facts = actions.map((action) => {
    const { name, on, access, input, answers, states } = action;
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
      ...leadsEntry(action),
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

/** STA: where an action leads to, and from where. */
function leadsEntry({ leadsTo, states }: ActionModel): TsCode[] {
  if (leadsTo === null || states === null) return [];
  const from = arrayCode(states.map(literal));
  const entries = [ts`from: ${from}`, ts`to: ${literal(leadsTo)}`];
  return [ts`leads: ${objectCode(entries, { indent: 6, before: "leads: ", after: "," })}`];
}

/** STA: what leads from state to state, likewise. */
export function statesPart({ entity: { states }, properties }: ResourceModel) {
  const isShown = properties.some(({ name }) => name === states?.property);
  if (states === null || !isShown) return { hasStates: false, states: ts`` };
  const { property, initial, initials, transitions, deletableIn } = states;
  const updates = transitions.map(({ from, to }) => {
    const before = `${key(from)}: `;
    return ts`${key(from)}: ${arrayCode(to.map(literal), { indent: 6, before, after: "," })}`;
  });
  const deletable = arrayCode(deletableIn.map(literal), {
    indent: 4,
    before: "deletableIn: ",
    after: ",",
  });
  const entries = [
    ts`property: ${literal(property)}`,
    ts`initial: ${literal(initial)}`,
    ...(initials.length === 1
      ? []
      : [
          ts`alsoInitial: ${arrayCode(initials.slice(1).map(literal), { indent: 4, before: "alsoInitial: ", after: "," })}`,
        ]),
    ts`transitions: ${objectCode(updates, { indent: 4, before: "transitions: ", after: "," })}`,
    ts`deletableIn: ${deletable}`,
  ];
  return { hasStates: true, states: objectCode(entries, { indent: 2, expanded: true }) };
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
