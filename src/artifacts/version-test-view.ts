import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { PropertyModel, Value } from "../kinds/property-model.js";
import { seenByClients } from "../model/seen-by.js";
import { stateWays } from "../model/state-ways.js";
import {
  shownFacts,
  unseen as unseenIn,
  type ShownFact,
  type VersionPair,
} from "../model/shown-facts.js";
import type { ResourceModel } from "../model/resource-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { insteadCode } from "./instead-code.js";
import { arrayCode, objectCode } from "./layout.js";
import { writable } from "./reader-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { sampleValues, testedProperties, withoutNeeded } from "./test-values.js";
import { valueCode } from "./value-code.js";

/** What `resource/version-test.ts.hbs` sees. */
export interface VersionTestView extends HeaderView, ResourceNamesView {
  readonly older: TsCode;
  readonly newer: TsCode;
  readonly olderSide: TsCode;
  readonly newerSide: TsCode;
  readonly shown: TsCode;
  readonly unseen: TsCode;
  readonly parts: TsCode;
}

/** Says whether a version differs from the next one in what it shows (VER-2). */
export function isDifferent({ older, newer }: VersionPair): boolean {
  return [older, newer].some(
    ({ conversion, projection, entity }) =>
      conversion !== null ||
      projection.length !== entity.properties.length ||
      projection.some(({ property, storedPath }) => property !== storedPath),
  );
}

/** Where the tests of a version and the next one stand. */
export function versionTestPath({ older, newer }: VersionPair): string {
  return `test/generated/${older.version}-to-${newer.version}-${older.name.plural}.test.ts`;
}

/** The laws of two versions, as tests. */
export function versionTestView(pair: VersionPair): VersionTestView {
  const { older, newer } = pair;
  const names = unseenIn(pair).map(literal);
  return {
    ...resourceHeader(older),
    ...resourceNames(older),
    older: word(older.version),
    newer: word(newer.version),
    olderSide: sideCode(older, ts`olderFacts`, "older: "),
    newerSide: sideCode(newer, ts`newerFacts`, "newer: "),
    shown: factsCode(shownFacts(pair), 2, "shown: "),
    unseen: arrayCode(names, { indent: 2, before: "unseen: ", after: "," }),
    parts: older.authenticated ? ts`, { bearer: bearerTests }` : ts``,
  };
}

function sideCode(resource: ResourceModel, facts: TsCode, before: string): TsCode {
  const { states } = seenByClients(resource).entity;
  const tried = writable(testedProperties(resource)).filter(({ type, unique, name }) => {
    const isState = name === states?.property;
    return innerType(type).kind !== "reference" && !unique && !isState;
  });
  const lasting = tried.filter(hasLastingPart).map(({ name }) => literal(name));
  const samples = tried.map((property) => {
    const values = sampleValues(withoutNeeded(property));
    const around = { indent: 6, before: `${key(property.name)}: `, after: "," };
    return ts`${key(property.name)}: ${arrayCode(
      values.map((value) => sampleCode(value)),
      around,
    )}`;
  });
  const reached = states === null ? [] : stateWays(states);
  const begun = states?.initials.flatMap((initial) => stateWays({ ...states, initial })) ?? [];
  const apart = (states?.transitions ?? [])
    .map(({ from }) => from)
    .filter((from) => !begun.some(({ state }) => state === from));
  const ways = reached.map(({ states: way, ...allowed }) => {
    const list = arrayCode(way.map(literal));
    return ts`{ states: ${list}, isUpdatable: ${allowed.isUpdatable}, isDeletable: ${allowed.isDeletable} }`;
  });
  const all = arrayCode(ways, {
    indent: 6,
    before: "ways: ",
    after: ",",
    expanded: ways.length > 1,
  });
  const entries = [
    ts`facts: ${facts}`,
    ts`samples: ${objectCode(samples, { indent: 4, before: "samples: ", after: ",", expanded: true })}`,
    ...(lasting.length === 0
      ? []
      : [ts`lasting: ${arrayCode(lasting, { indent: 4, before: "lasting: ", after: "," })}`]),
    ...(states === null
      ? []
      : [
          ts`state: {\n      property: ${literal(states.property)},\n      ways: ${all},${apartCode(apart)}\n    }`,
        ]),
  ];
  return objectCode(entries, { indent: 2, before, after: ",", expanded: true });
}

/** The states that only actions lead to; nothing where there are none. */
function apartCode(states: readonly string[]): TsCode {
  if (states.length === 0) return ts``;
  const around = { indent: 6, before: "apart: ", after: "," };
  return ts`\n      apart: ${arrayCode(states.map(literal), around)},`;
}

/** Whether something inside of it is set for good, at any depth. */
function hasLastingPart({ type }: PropertyModel): boolean {
  return membersOf(innerType(type)).some((one) => one.immutable || hasLastingPart(one));
}

function sampleCode(value: Value | null): TsCode {
  return valueCode(value, { indent: 8 });
}

function factsCode(facts: readonly ShownFact[], indent: number, before: string): TsCode {
  const codes = facts.map((fact) => factCode(fact, indent + 2));
  return arrayCode(codes, { indent, before, after: ",", expanded: codes.length > 1 });
}

function factCode(fact: ShownFact, indent: number): TsCode {
  const { older, newer, instead, isUnique, members, unseen } = fact;
  const entries = [
    ts`older: ${literal(older)}`,
    ts`newer: ${literal(newer)}`,
    ...(instead.length === 0 ? [] : [ts`instead: ${insteadCode(instead)}`]),
    ...(isUnique ? [ts`isUnique: true`] : []),
    ...(members.length === 0 ? [] : [ts`members: ${factsCode(members, indent + 2, "members: ")}`]),
    ...(unseen.length === 0 ? [] : [ts`unseen: ${arrayCode(unseen.map(literal))}`]),
  ];
  return objectCode(entries, { indent, after: "," });
}
