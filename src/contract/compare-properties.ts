import { changeOf, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { compareValues } from "./compare-values.js";
import type { EarlierShape } from "../model/earlier-shape.js";
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
  const both = Object.keys(before.properties).filter((path) => path in after.properties);
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
  return told(kind, { path }, before, property);
}

function added(path: string, before: ResourceContract, after: ResourceContract): ContractChange {
  const property = after.properties[path];
  const kind = addedKind(property);
  const isItem = kind === "property-added" && path.includes("[].");
  return told(isItem ? "property-added-in-list" : kind, { path }, before, property);
}

/** What the service's own code makes of what is gone has a value wherever that had one. */
function converted(path: string, before: ResourceContract): ContractChange {
  return told("property-converted", { path, keyword: "converted" }, before, undefined);
}

/** A new value of which the version before shows another. */
function shownInstead(change: ContractChange, { instead }: EarlierShape): ContractChange {
  const { kind, path, after: value } = change;
  const shown = value === null ? undefined : instead[path]?.[value];
  if (kind !== "enum-value-added" || shown === undefined) return change;
  const { resource, at } = change;
  const found = { path, before: shown, ...(value !== null && { after: value }), at };
  return changeOf("enum-value-shown-instead", found, { resource, operations: null, isSent: true });
}

function addedKind(property: PropertyContract | undefined): ChangeKindId {
  if (property === undefined) return "property-added";
  const { embedded, readOnly, required, default: preset, minItems = 0, isParent } = property;
  if (embedded === true) return "embed-added";
  if (readOnly === true) return "property-added-read-only";
  const isDemanded = required === true && preset === undefined && isParent !== true;
  return isDemanded || minItems > 0 ? "property-added-required" : "property-added";
}

function compareProperty(
  path: string,
  before: ResourceContract,
  after: ResourceContract,
): ContractChange[] {
  const [was, is] = [before.properties[path], after.properties[path]];
  if (was === undefined || is === undefined || !leadOf(before, after)(path)) return [];
  const one = isSent(was) ? was : is;
  const tell = (kind: ChangeKindId, { keyword, ...found }: Found & { keyword: string }) =>
    told(kind, { path, keyword, ...found }, before, one);
  const values = isOtherType(was, is)
    ? [typeChange(was, is)]
    : [...compareValues(was, is), ...compareReference(was, is)];
  const all = [...values, ...filteredValues({ was, is, path, values }, after)];
  const own = was.embedded === true ? compareNull(was, is) : compareOwn(was, is, path, before);
  const found = isOtherType(was, is) ? all : [...all, ...compareShown(was, is), ...own];
  return found.map(([kind, about]) => tell(kind, about));
}

type Difference = readonly [ChangeKindId, Found & { readonly keyword: string }];

/** Of an array, the type of its items is another property's: the one at the path with `[]`. */
function isOtherType(was: PropertyContract, is: PropertyContract): boolean {
  return was.type !== is.type;
}

function typeChange(was: PropertyContract, is: PropertyContract): Difference {
  const keyword = is.type === "enum" ? "enum" : "type";
  const found = { before: typeWords(was), after: typeWords(is), keyword };
  switch (`${was.type} ${is.type}`) {
    case "integer number":
      return ["integer-became-number", found];
    case "number integer":
      return ["number-became-integer", found];
    case "enum string":
      return [
        takesAll(is, was) ? "enum-opened" : "type-changed",
        { ...found, before: words(was.values) },
      ];
    case "string enum":
      return ["text-became-enum", { ...found, after: words(is.values) }];
    default:
      return ["type-changed", found];
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

function compareOwn(
  was: PropertyContract,
  is: PropertyContract,
  path: string,
  { states }: ResourceContract,
): Difference[] {
  return [
    ...compareNull(was, is),
    ...FLAGS.flatMap(([flag, set, unset]): Difference[] => {
      if (was[flag] === is[flag]) return [];
      const kind = is[flag] === true ? set : unset;
      return [[inItems(kind, path), { keyword: flag }]];
    }),
    // What a state begins in is told with the states.
    ...(states?.property === path ? [] : compareDefault(was, is)),
  ];
}

/** A PUT does not have to hold what stands in an item. */
function inItems(kind: ChangeKindId, path: string): ChangeKindId {
  const isWritable = kind === "property-became-writable";
  return isWritable && path.includes("[].") ? "property-became-writable-in-list" : kind;
}

const FLAGS: readonly (readonly [
  "readOnly" | "immutable" | "unique" | "filterable" | "isRange" | "sortable" | "deprecated",
  ChangeKindId,
  ChangeKindId,
])[] = [
  ["readOnly", "property-became-read-only", "property-became-writable"],
  ["immutable", "property-became-immutable", "property-became-mutable"],
  ["unique", "property-became-unique", "property-no-longer-unique"],
  ["filterable", "filter-added", "filter-removed"],
  ["isRange", "filter-added", "filter-removed"],
  ["sortable", "sort-added", "sort-removed"],
  ["deprecated", "property-deprecated", "property-no-longer-deprecated"],
];

function compareNull(was: PropertyContract, is: PropertyContract): Difference[] {
  if (was.required === is.required) return [];
  const kind = is.required === true ? "property-became-required" : "property-became-nullable";
  return [[kind, { keyword: "required" }]];
}

function compareDefault(was: PropertyContract, is: PropertyContract): Difference[] {
  if (JSON.stringify(was.default) === JSON.stringify(is.default)) return [];
  const found = { before: words(was.default), after: words(is.default), keyword: "default" };
  if (is.default === undefined) return [["default-removed", found]];
  if (was.default !== undefined) return [["default-changed", found]];
  return [[was.required === true ? "default-given" : "default-added", found]];
}

function compareReference(was: PropertyContract, is: PropertyContract): Difference[] {
  const target = ({ refersTo, identifier = "" }: PropertyContract): string =>
    refersTo ?? identifier;
  const isOther =
    was.refersTo !== is.refersTo ||
    was.external !== is.external ||
    was.identifier !== is.identifier;
  const found = { before: target(was), after: target(is), keyword: "reference" };
  const deleted = is.onDelete === "setNull" ? "on-delete-allowed" : "on-delete-refused";
  return [
    ...(isOther ? [["reference-target-changed", found] as const] : []),
    ...identifierType(was, is),
    ...(was.onDelete === is.onDelete ? [] : [[deleted, { keyword: "onDelete" }] as const]),
  ];
}

/** REP-4: another service's identifiers are UUIDs, or any texts. */
function identifierType(was: PropertyContract, is: PropertyContract): Difference[] {
  if (was.identifierType === is.identifierType) return [];
  const kind = is.identifierType === "string" ? "identifier-became-text" : "identifier-became-uuid";
  return [[kind, { keyword: "identifier" }]];
}

/** QRY-1: a filter takes the values of its property alone, and reads them in its form; bounds are not looked at. */
function filteredValues(
  { was, is, path, values }: Compared,
  { properties }: ResourceContract,
): Difference[] {
  const holder = properties[path.replace("[]", "")];
  if (holder?.filterable !== true) return [];
  const lost = (was.values ?? []).filter((value) => is.values?.includes(value) === false);
  const narrowed = values.filter(([kind]) => FILTERED_BY_LESS.includes(kind));
  return [
    ...lost.map((value): Difference => [
      "filter-value-removed",
      { before: value, keyword: "enum" },
    ]),
    ...narrowed.map(([, { keyword }]): Difference => {
      const found = { before: formWords(was), after: formWords(is), keyword };
      return ["filter-narrowed", found];
    }),
  ];
}

/** One property before and after, and what has become of its values. */
interface Compared {
  readonly was: PropertyContract;
  readonly is: PropertyContract;
  readonly path: string;
  readonly values: readonly Difference[];
}

/** After which a filter refuses values that it took; what breaks those who read answers as well needs no second word. */
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
function compareShown(
  { inOlderVersions: were = {} }: PropertyContract,
  { inOlderVersions: are = {} }: PropertyContract,
): Difference[] {
  return Object.entries(were).flatMap(([value, before]): Difference[] => {
    const after = are[value];
    if (after === undefined || after === before) return [];
    return [["shown-value-changed", { before, after, keyword: "inOlderVersions" }]];
  });
}

/** Whether a client sends the value. */
function isSent({ readOnly, embedded }: PropertyContract): boolean {
  return readOnly !== true && embedded !== true;
}

function told(
  kind: ChangeKindId,
  { path, keyword, ...found }: Found & { readonly path: string; readonly keyword?: string },
  holder: ResourceContract,
  property: PropertyContract | undefined,
): ContractChange {
  const { resource, operations } = holder;
  const follows = shownFrom(path, kind, holder);
  const about = { path, at: propertyPlace(path, keyword), ...(follows && { follows }), ...found };
  // What stands in a list or an object that the service writes alone is not sent either.
  const above = ancestorsOf(path).some((one) => holder.properties[one]?.readOnly === true);
  const sent = property === undefined || (isSent(property) && !above);
  return changeOf(kind, about, { resource, operations, isSent: sent });
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
