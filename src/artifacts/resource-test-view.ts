import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { AccessModel } from "../kinds/access-model.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { seenByClients } from "../model/seen-by.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import { isConditional } from "./projection-view.js";
import { invalidCode } from "./invalid-code.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import {
  actionFacts,
  needEntries,
  otherPathsPart,
  searchPart,
  statesPart,
  togetherPart,
} from "./test-facts.js";
import { neededReferences, type Needed } from "./needed-references.js";
import { testedProperties, uniqueValues, validBody } from "./test-values.js";
import { valueCode } from "./value-code.js";

/** What `resource/test.ts.hbs` sees. */
export interface ResourceTestView extends HeaderView, ResourceNamesView {
  /** Tests that not every resource needs, as a last argument. */
  readonly parts: TsCode;
}

/** The tests of a resource: the runtime's, with its facts. */
export function resourceTestView(resource: ResourceModel): ResourceTestView {
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    parts: partsCode(resource),
  };
}

/** AUT-1, CHD, OPS-11 */
function partsCode({ authenticated, parent, listedUnder, actions }: ResourceModel): TsCode {
  const parts = [
    ...(authenticated ? [ts`bearer: bearerTests`] : []),
    ...(parent === null ? [] : [ts`child: childTests`]),
    ...(listedUnder.length === 0 ? [] : [ts`paths: pathTests`]),
    ...(actions.length > 0 ? [ts`actions: actionTests`] : []),
  ];
  return parts.length === 0 ? ts`` : ts`, ${objectCode(parts)}`;
}

/** What `resource/facts.ts.hbs` sees. */
export interface ResourceFactsView extends HeaderView, ResourceNamesView {
  readonly parent: TsCode;
  readonly isListedUnder: boolean;
  readonly listedUnder: TsCode;
  readonly needs: TsCode;
  readonly entityType: TsCode;
  readonly idPropertyLiteral: TsCode;
  readonly operations: TsCode;
  readonly valid: TsCode;
  readonly invalid: TsCode;
  readonly access: TsCode;
  readonly isActing: boolean;
  readonly actions: TsCode;
  readonly hasStates: boolean;
  readonly states: TsCode;
  readonly isShownElsewhere: boolean;
  readonly original: TsCode;
  readonly isAliased: boolean;
  readonly aliases: TsCode;
  readonly isFiltered: boolean;
  readonly isMatchRequired: boolean;
  readonly readOnly: TsCode;
  readonly immutable: TsCode;
  readonly hasAdditions: boolean;
  readonly addedLater: TsCode;
  readonly unique: TsCode;
  readonly isUniqueTogether: boolean;
  readonly uniqueTogether: TsCode;
  readonly isVaried: boolean;
  readonly varied: TsCode;
  /** "" where there are none. */
  readonly others: TsCode;
  readonly sorts: TsCode;
  readonly isRanged: boolean;
  readonly ranges: TsCode;
  readonly deletable: boolean;
}

/** The facts about a resource that its generated tests need: a body that is accepted, and values that are not. */
export function resourceFactsView(resource: ResourceModel): ResourceFactsView {
  const { name, entity, path, operations, properties, access, parent } = resource;
  const seen = seenByClients(resource);
  const names = (key: string, chosen: readonly PropertyModel[]): TsCode =>
    arrayCode(
      chosen.map((property) => literal(property.path)),
      { indent: 2, before: `${key}: `, after: "," },
    );
  const flagged = (flag: "readOnly" | "immutable" | "addedLater" | "unique"): TsCode =>
    names(
      flag,
      properties.filter((property) => property[flag]),
    );
  const needed = neededReferences(resource);
  const tested = testedProperties(resource);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    parent: parentCode(resource),
    ...pathsPart(resource),
    needs: needsCode(needed, resource),
    path: literal(path),
    entityType: literal(entity.name.typeName),
    ...otherPathsPart(resource),
    isActing: resource.actions.length > 0,
    actions: actionFacts(seen),
    ...statesPart(seen),
    isFiltered: isConditional(resource),
    isMatchRequired: resource.isMatchRequired,
    idPropertyLiteral: literal(name.idProperty),
    operations: arrayCode(operations.map(literal), {
      indent: 2,
      before: "operations: ",
      after: ",",
    }),
    valid: valueCode(validBody(tested, parent), { indent: 2, expanded: true }),
    invalid: invalidCode(properties),
    access: accessCode(access),
    readOnly: flagged("readOnly"),
    immutable: flagged("immutable"),
    hasAdditions: properties.some((property) => property.addedLater),
    addedLater: flagged("addedLater"),
    unique: flagged("unique"),
    ...togetherPart(resource),
    others: othersCode(tested),
    deletable: isDeletableAtFirst(entity),
    ...searchPart(resource),
  };
}

/** STA-3: the initial state allows a delete. */
function isDeletableAtFirst({ states }: ResourceModel["entity"]): boolean {
  return states === null || states.deletableIn.includes(states.initial);
}

/** AUT-2 */
function accessCode(access: AccessModel): TsCode {
  const entries = (["read", "create", "update", "delete"] as const).map((operation) => {
    const around = { indent: 4, before: `${operation}: `, after: "," };
    return ts`${word(operation)}: ${arrayCode(access[operation].map(literal), around)}`;
  });
  return objectCode(entries, { indent: 2, expanded: true });
}

function parentCode(resource: ResourceModel): TsCode {
  const { parent, name } = resource;
  if (parent === null) return ts`null`;
  const reference = referencesOf(resource).find(
    ({ property }) => property.name === parent.property,
  );
  const entries = [
    ts`facts: ${word(parent.name.singular)}Facts`,
    ts`rest: ${literal(`/${name.plural}`)}`,
    ts`property: ${literal(parent.property)}`,
    ...(parent.takesAlong ? [ts`takesAlong: true`] : []),
    ...(reference !== undefined && isEmbedding(reference, resource) ? [ts`embeds: true`] : []),
  ];
  return objectCode(entries, { indent: 2, before: "parent: ", after: "," });
}

/** CHD-1: what else its entities are created under. */
function pathsPart({ name, listedUnder }: ResourceModel) {
  const paths = listedUnder.map((above) =>
    objectCode(
      [
        ts`facts: () => ${word(above.name.singular)}Facts`,
        ts`rest: ${literal(`/${name.plural}`)}`,
        ts`property: ${literal(above.property)}`,
      ],
      { indent: 4, after: "," },
    ),
  );
  const around = { indent: 2, before: "listedUnder: ", after: ",", expanded: paths.length > 1 };
  return { isListedUnder: paths.length > 0, listedUnder: arrayCode(paths, around) };
}

/** AUT-2: what it shows is not meant for more than those who may read the other. */
function isEmbedding({ type }: ReferenceProperty, { authenticated }: ResourceModel): boolean {
  return authenticated && type.target !== null && type.embedded.length > 0 && !type.isDisclosed;
}

function needsCode(needed: readonly Needed[], resource: ResourceModel): TsCode {
  const needs = needed.map((reference) => {
    const embeds = isEmbedding(reference, resource) ? [ts`embeds: true`] : [];
    const facts = ts`${word(reference.name.singular)}Facts`;
    return objectCode([...needEntries(reference, facts), ...embeds], { indent: 4 });
  });
  const around = { indent: 2, before: "needs: ", after: ",", expanded: needs.length > 1 };
  return arrayCode(needs, around);
}

/** Values of properties that differ each time, of those that cannot be counted up. */
function othersCode(properties: readonly PropertyModel[]): TsCode {
  const entries = properties
    .filter(({ unique }) => unique)
    .map((property) => ({ name: property.name, values: uniqueValues(property) }))
    .filter(({ values }) => values.length > 0)
    .map(({ name, values }) => {
      const before = `${key(name)}: `;
      return ts`${key(name)}: ${valueCode(values, { indent: 4, before, after: "," })}`;
    });
  return entries.length === 0 ? ts`` : objectCode(entries, { indent: 2, expanded: true });
}
