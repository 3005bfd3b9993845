import type { EarlierShape } from "../model/earlier-shape.js";
import { changeOf, type ContractChange, type Difference } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { VALUE_FACTS } from "./compare-values.js";
import { compareFacts, flag, placed, value, type Compared, type Facts } from "./facts.js";
import { propertyPlace } from "./place.js";
import type { PropertyContract, ResourceContract } from "./resource-contract.js";
import { typeWords, words } from "./words.js";

type Properties = ResourceContract["properties"];

/** What has become of the properties of a resource; a change of a whole object is told once. */
export function compareProperties(
  before: ResourceContract,
  after: ResourceContract,
  earlier: EarlierShape,
): ContractChange[] {
  const isLead = leadOf(before, after);
  const isAlone = (path: string, others: Properties): boolean =>
    !(path in others) && !ancestorsOf(path).some((above) => !(above in others)) && isLead(path);
  const gone = Object.keys(before.properties).filter((path) => isAlone(path, after.properties));
  const come = Object.keys(after.properties).filter((path) => isAlone(path, before.properties));
  const both = Object.keys(before.properties).filter(isLead);
  return [
    ...gone.map((path) => removed(path, before)),
    ...come.map((path) =>
      earlier.converted.includes(path) ? converted(path, before) : added(path, before, after),
    ),
    ...both
      .flatMap((path) => compareProperty(path, before, after))
      .map((change) => shownInstead(change, earlier)),
  ];
}

/** Whether nothing above a path tells of its change already: another type, or another parent. */
function leadOf(before: ResourceContract, after: ResourceContract): (path: string) => boolean {
  const isRetyped = (path: string): boolean => {
    const [was, is] = [before.properties[path], after.properties[path]];
    return was !== undefined && is !== undefined && isOtherType(was, is);
  };
  const parents = [before.parent?.property, after.parent?.property];
  const isMoved = before.parent?.resource !== after.parent?.resource;
  return (path) =>
    !ancestorsOf(path).some(isRetyped) && !(isMoved && parents.includes(path.split(".")[0]));
}

/** `items` and `items[]` for `items[].price`. */
function ancestorsOf(path: string): string[] {
  const cuts = [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index));
  const items = [...path.matchAll(/\[\]\./g)].map(({ index }) => path.slice(0, index + 2));
  return [...new Set([...cuts, ...items])].filter((above) => above !== path);
}

function removed(path: string, before: ResourceContract): ContractChange {
  const property = before.properties[path];
  const kind = property?.embedded === true ? "embed-removed" : "property-removed";
  return told({ kind }, path, before, property);
}

function added(path: string, before: ResourceContract, after: ResourceContract): ContractChange {
  const property = after.properties[path];
  const kind = inItems(addedKind(property), path);
  return told({ kind }, path, before, property);
}

/** What the service's own code makes of what is gone has a value wherever that had one. */
function converted(path: string, before: ResourceContract): ContractChange {
  return told({ kind: "property-converted", at: ["converted"] }, path, before, undefined);
}

/** A new value of which the version before shows another. */
function shownInstead(change: ContractChange, { instead }: EarlierShape): ContractChange {
  const { kind, resource, path, after, at } = change;
  const before = instead[path]?.[after ?? ""];
  if (kind !== "enum-value-added" || after === null || before === undefined) return change;
  const found = { path, before, after, at };
  return changeOf({ kind: "enum-value-shown-instead", ...found }, { resource, operations: null });
}

function addedKind(property: PropertyContract | undefined): ChangeKindId {
  if (property === undefined) return "property-added";
  const { embedded, readOnly, required, default: preset, minItems = 0, isParent } = property;
  if (embedded === true) return "embed-added";
  if (readOnly === true) return "property-added-read-only";
  const isDemanded = required === true && preset === undefined && isParent !== true;
  return isDemanded || minItems > 0 ? "property-added-required" : "property-added";
}

/** A PUT does not have to hold what stands in an item. */
function inItems(kind: ChangeKindId, path: string): ChangeKindId {
  if (!path.includes("[].")) return kind;
  if (kind === "property-added") return "property-added-in-list";
  return kind === "property-became-writable" ? "property-became-writable-in-list" : kind;
}

function compareProperty(
  path: string,
  before: ResourceContract,
  after: ResourceContract,
): ContractChange[] {
  const [was, is] = [before.properties[path], after.properties[path]];
  if (was === undefined || is === undefined) return [];
  const values = isOtherType(was, is) ? [typeChange(was, is)] : compareFacts(VALUE_FACTS, was, is);
  const filtered = filteredValues({ was, is, path, values }, after);
  const facts = was.embedded === true ? EMBEDDED_FACTS : PROPERTY_FACTS;
  const others = isOtherType(was, is) ? [] : compareFacts(facts, was, is);
  // What a state begins in is told with the states.
  const isState = before.states?.property === path;
  return [...values, ...filtered, ...others]
    .filter(({ at }) => !(isState && at?.[0] === "default"))
    .map(({ kind, ...found }) => ({ kind: inItems(kind, path), ...found }))
    .map((one) => told(one, path, before, isSent(was) ? was : is));
}

/** Facts of a value that a reference shows of another resource. */
const EMBEDDED_FACTS: Facts<PropertyContract> = {
  inOlderVersions: compareShown,
  required: flag("property-became-required", "property-became-nullable"),
};

/** A filter that is new or gone says it of its range, or search, too. */
function ofFilter(added: ChangeKindId, removed: ChangeKindId) {
  return placed<true, PropertyContract>(["filterable"], (compared) =>
    compared.before.filterable === compared.after.filterable ? flag(added, removed)(compared) : [],
  );
}

/** Facts of a property that are not about its values. */
const PROPERTY_FACTS: Facts<PropertyContract> = {
  ...EMBEDDED_FACTS,
  readOnly: flag("property-became-read-only", "property-became-writable"),
  immutable: flag("property-became-immutable", "property-became-mutable"),
  unique: flag("property-became-unique", "property-no-longer-unique"),
  filterable: flag("filter-added", "filter-removed"),
  isRange: ofFilter("range-filter-added", "range-filter-removed"),
  isSearch: ofFilter("search-added", "search-removed"),
  sortable: flag("sort-added", "sort-removed"),
  deprecated: flag("property-deprecated", "property-no-longer-deprecated"),
  default: (compared) => {
    const added = compared.before.required === true ? "default-given" : "default-added";
    return value("default-changed", { added, removed: "default-removed" })(compared);
  },
};

/** Of an array, the type of its items is another property's: the one at the path with `[]`. */
function isOtherType(was: PropertyContract, is: PropertyContract): boolean {
  return was.type !== is.type;
}

function typeChange(was: PropertyContract, is: PropertyContract): Difference {
  const found = { before: typeWords(was), after: typeWords(is) };
  const at = [is.type === "enum" ? "enum" : "type"];
  switch (`${was.type} ${is.type}`) {
    case "integer number":
      return { kind: "integer-became-number", ...found, at };
    case "number integer":
      return { kind: "number-became-integer", ...found, at };
    case "enum string": {
      const kind = takesAll(is, was) ? "enum-opened" : "type-changed";
      return { kind, ...found, before: words(was.values), at };
    }
    case "string enum":
      return { kind: "text-became-enum", ...found, after: words(is.values), at };
    default:
      return { kind: "type-changed", ...found, at };
  }
}

/** Whether a text takes every value of a list of words. */
function takesAll(
  { format, pattern, minLength = 0, maxLength = Infinity }: PropertyContract,
  { values = [] }: PropertyContract,
): boolean {
  const isPlain = format === undefined && pattern === undefined;
  return isPlain && values.every(({ length }) => length >= minLength && length <= maxLength);
}

/** QRY-1: a filter takes the values of its property alone, and reads them in its form; bounds are not looked at. */
function filteredValues(
  { was, is, path, values }: ComparedProperty,
  { properties }: ResourceContract,
): Difference[] {
  const holder = properties[path.replace(/\[\]$/, "")];
  if (holder?.filterable !== true) return [];
  const lost = (was.values ?? []).filter((value) => is.values?.includes(value) === false);
  const narrowed = values.filter(({ kind }) => FILTERED_BY_LESS.includes(kind));
  return [
    ...lost.map((value): Difference => {
      return { kind: "filter-value-removed", before: value, at: ["enum"] };
    }),
    ...narrowed.map(({ at = [] }): Difference => {
      return { kind: "filter-narrowed", before: formWords(was), after: formWords(is), at };
    }),
  ];
}

/** One property before and after, and what has become of its values. */
interface ComparedProperty {
  readonly was: PropertyContract;
  readonly is: PropertyContract;
  readonly path: string;
  readonly values: readonly Difference[];
}

/** After which a filter refuses values that it took; what breaks readers answers as well needs no second word. */
const FILTERED_BY_LESS: readonly ChangeKindId[] = [
  ...(["format-added", "number-became-integer", "text-became-enum"] as const),
  "identifier-became-uuid",
];

function formWords(property: PropertyContract): string {
  const { values, identifierType } = property;
  if (values !== undefined) return words(values);
  if (property.type !== "reference") return typeWords(property);
  return words(identifierType ?? "uuid");
}

/** VER-2: what the version before shows; of a value that is new or gone, there is nothing to compare. */
function compareShown({
  was = {},
  is = {},
}: Compared<Readonly<Record<string, string>>, PropertyContract>): Difference[] {
  return Object.entries(was).flatMap(([value, before]): Difference[] => {
    const after = is[value];
    if (after === undefined || after === before) return [];
    return [{ kind: "shown-value-changed", before, after }];
  });
}

/** Whether a client sends the value. */
function isSent({ readOnly, embedded }: PropertyContract): boolean {
  return readOnly !== true && embedded !== true;
}

function told(
  difference: Difference,
  path: string,
  holder: ResourceContract,
  property: PropertyContract | undefined,
): ContractChange {
  const { resource, operations } = holder;
  const follows = shownFrom(path, difference.kind, holder);
  // What stands in a list or an object that the service writes alone is not sent either.
  const above = ancestorsOf(path).some((one) => holder.properties[one]?.readOnly === true);
  const sent = property === undefined || (isSent(property) && !above);
  const concerned = { resource, operations, isSent: sent, path, at: propertyPlace(path) };
  return changeOf({ ...difference, ...(follows !== undefined && { follows }) }, concerned);
}

/** What a resource decides to show is its own. */
const SHOWN: readonly ChangeKindId[] = [
  "embed-added",
  "embed-removed",
  "property-added",
  "property-added-in-list",
];

/** The resource that a value is declared in; undefined: in this one. */
function shownFrom(
  path: string,
  kind: ChangeKindId,
  { properties, represents }: ResourceContract,
): string | undefined {
  const isOwn = SHOWN.includes(kind);
  if (properties[path]?.embedded !== true || isOwn) return isOwn ? undefined : represents;
  return properties[path.slice(0, path.lastIndexOf("."))]?.refersTo;
}
