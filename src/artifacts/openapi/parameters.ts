import { kindOf, type PropertyType } from "../../kinds/kinds.js";
import type { PropertyModel } from "../../kinds/property-model.js";
import type { Paging, ResourceModel } from "../../model/resource-model.js";
import { filterLeaves, innerType, leavesOf, listAround } from "../../model/leaves.js";
import { markdownName } from "../../naming/markdown.js";
import { upperFirst, type ResourceName } from "../../naming/resource-name.js";
import { pathsOf } from "../../model/references.js";
import { operationsOf } from "../operations.js";
import type { OpenApi } from "./document.js";

/** Of query/query.ts and query/read-filters.ts in the runtime. */
const LAST_PAGE = 2_147_483_647;
const MOST_VALUES = 100;
const MOST_SEARCHES = 10;

/** Parameters that every collection takes (QRY-5), and every POST (OPS-12) where there is one. */
export function commonParameters(creates: boolean): OpenApi {
  return {
    ...(creates && { IdempotencyKey: idempotencyKey() }),
    PageNumber: {
      name: "pageNumber",
      in: "query",
      description: "Which page to return; pages count from 1.",
      schema: { type: "integer", minimum: 1, maximum: LAST_PAGE, default: 1 },
    },
    After: {
      name: "after",
      in: "query",
      description:
        "The token of the page before, which its Link header has: the page begins after the last entity of that one, wherever it " +
        "stands by now. Repeat the other parameters, without `pageNumber`.",
      schema: { type: "string", minLength: 1 },
    },
  };
}

/** OPS-12: in quotes, where two characters are escaped, or bare. */
function idempotencyKey(): OpenApi {
  return {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A name for this request that the caller has not used before, such as a UUID. Repeating the request " +
      "with it within 24 hours returns the first response, and creates nothing.",
    schema: { type: "string", minLength: 1, maxLength: 512, pattern: KEY_PATTERN },
  };
}

const KEY_PATTERN = '^(?:[!#-~]{1,255}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';

/** The query parameters of a collection (QRY): they stand in its only list, or else in the components. */
export function listParameters(resource: ResourceModel): readonly OpenApi[] {
  const own = ownParameters(resource);
  const shown = isListedAgain(resource)
    ? own.map(([name]) => reference(name))
    : own.map(([, parameter]) => parameter);
  const pages = [reference(pageSizeName(resource.paging)), reference("PageNumber")];
  return [...shown, ...pages, ...(hasTokens(resource) ? [reference("After")] : [])];
}

/** QRY-9: a property that a list is filtered by may be called so. */
export function hasTokens(resource: ResourceModel): boolean {
  return !filterLeaves(resource).some(({ path }) => path === "after");
}

/** The parameters that several operations of a resource refer to, or those under it (CHD-1). */
export function resourceParameters(resource: ResourceModel): OpenApi {
  return {
    ...(resource.isInPaths && { [identifierName(resource.name)]: identifier(resource.name) }),
    ...(isListedAgain(resource) && (Object.fromEntries(ownParameters(resource)) as OpenApi)),
  };
}

/** What stands for the entity in a path of its own: other paths have it, too, where there are children. */
export function ownIdentifier(resource: ResourceModel): OpenApi {
  return resource.isInPaths ? parentIdentifier(resource.name) : identifier(resource.name);
}

/** What stands for the parent in the paths of its children. */
export function parentIdentifier(name: ResourceName): OpenApi {
  return reference(identifierName(name));
}

function identifierName({ typeName }: ResourceName): string {
  return `${typeName}.Id`;
}

function identifier({ idProperty, words }: ResourceName): OpenApi {
  return {
    name: idProperty,
    in: "path",
    required: true,
    description: `Which ${words}.`,
    schema: { type: "string", format: "uuid" },
  };
}

function reference(name: string): OpenApi {
  return { $ref: `#/components/parameters/${name}` };
}

/** Says whether there are other lists of it: aliases, or its parent's (ALI-1, CHD-1). */
function isListedAgain(resource: ResourceModel): boolean {
  const isAgain = resource.aliases.length > 0 || pathsOf(resource).length > 0;
  return operationsOf(resource).lists && isAgain;
}

/** The parameters that depend on the resource, by the names of their components. */
function ownParameters(resource: ResourceModel): (readonly [name: string, parameter: OpenApi])[] {
  if (!operationsOf(resource).lists) return [];
  const { typeName, plural } = resource.name;
  const leaves = leavesOf(resource.properties);
  const filters = filterLeaves(resource).flatMap((leaf) => {
    const whose = whoseWords(leaf, resource);
    return [
      filterParameter(leaf, whose),
      ...boundParameters(leaf, whose),
      ...searchParameters(leaf, plural),
    ];
  });
  return [
    ...[...filters, ...spreadParameters(resource)]
      // Generators of clients make types of these names: `OrderStatus` would be taken for a status.
      .map((parameter) => [`${typeName}.Filter.${parameter.name}`, parameter] as const),
    [`${typeName}.Sort`, sortParameter(leaves.filter(({ sortable }) => sortable))],
  ];
}

/** QRY-5: lists with the same sizes share one parameter. */
export function pageSizeParameters(resources: readonly ResourceModel[]): OpenApi {
  const listed = resources.filter((resource) => operationsOf(resource).lists);
  return Object.fromEntries(
    listed.map(({ paging }) => [pageSizeName(paging), pageSizeParameter(paging)]),
  );
}

function pageSizeName({ defaultSize, maximumSize }: Paging): string {
  return `PageSize.${defaultSize}UpTo${maximumSize}`;
}

function pageSizeParameter({ defaultSize, maximumSize }: Paging): OpenApi {
  return {
    name: "pageSize",
    in: "query",
    description: "The maximum number of results on a page.",
    schema: { type: "integer", minimum: 1, maximum: maximumSize, default: defaultSize },
  };
}

/** QRY-1 to QRY-3, for the description of the document. */
const FILTER_TEXT =
  "A query parameter named after a property lists the entities with that value. Repeat it to match any of several " +
  "values; leave it empty to match null. For a list property it matches lists that contain the value; left empty, it matches `[]`.";

/** The same, where a property of a version is filtered by bounds. */
const RANGE_TEXT =
  "`.atLeast`, `.moreThan`, `.atMost` and `.lessThan` after a name keep values within a bound; null is never within one. " +
  "Each can be given once.";

/** The same, where items of lists are filtered (QRY-10). */
const ITEM_TEXT =
  "Parameters of properties inside the items of one list are about one item, for which all of them hold.";

/** The same, where texts are searched (QRY-7). */
const SEARCH_TEXT =
  "`.contains` after a name finds texts that have each word of the value in them, as a whole or as a part, in any order; " +
  "`.startsWith` finds texts that begin with the value. Case and accents make no difference. Repeat one to match any of several values. " +
  "Of the words of a value for `.contains`, one has at least three characters, or two in Han, kana and Hangul.";

/** The same, where several properties are searched at once (QRY-8). */
const SPREAD_TEXT =
  "`search` finds entities that have each word of the value, as a whole or as a part, in one of several properties. " +
  "Without `sort`, those come first that have a word in the property that is named first. Case and accents make no difference, " +
  "and one word has at least three characters, or two in Han, kana and Hangul.";

/** What the filters of a version mean. */
export function filterText(resources: readonly ResourceModel[]): string {
  const ways = new Set(filteredLeaves(resources).map(({ filterable }) => filterable));
  const texts = [
    FILTER_TEXT,
    ...(ways.has("range") ? [RANGE_TEXT] : []),
    ...(resources.some(isFilteredByItems) ? [ITEM_TEXT] : []),
    ...(ways.has("search") ? [SEARCH_TEXT] : []),
    ...(resources.some(isSearched) ? [SPREAD_TEXT] : []),
  ];
  return texts.join(" ");
}

function isFilteredByItems(resource: ResourceModel): boolean {
  const { properties } = resource;
  const isInItems = ({ path }: PropertyModel): boolean => listAround(path, properties) !== null;
  return operationsOf(resource).lists && filterLeaves(resource).some(isInItems);
}

function isSearched(resource: ResourceModel): boolean {
  return operationsOf(resource).lists && resource.search.length > 0;
}

/** QRY-8 */
function spreadParameters({ name, search }: ResourceModel) {
  if (search.length === 0) return [];
  const paths = search.map(markdownName).join(", ");
  const description = `Lists only ${name.plural} that have each word of the value in one of ${paths}.`;
  return [
    {
      name: "search",
      in: "query",
      description,
      schema: { type: "string", minLength: 1, maxLength: 200 },
    },
  ];
}

/** ``orders whose `total` ``, or what an item of a list has (QRY-10). */
function whoseWords({ path }: PropertyModel, { name, properties }: ResourceModel): string {
  const list = listAround(path, properties);
  if (list === null) return `${name.plural} whose ${markdownName(path)}`;
  const member = path.slice(list.path.length + 1);
  return `${name.plural} with an item in ${markdownName(list.path)} whose ${markdownName(member)}`;
}

function filterParameter({ path, type }: PropertyModel, whose: string) {
  const holds = type.kind === "array" ? "holds" : "is";
  return {
    name: path,
    in: "query",
    description: `Lists only ${whose} ${holds} one of the values.`,
    allowEmptyValue: true,
    schema: filterSchema(type).values.use,
  };
}

/** Of a property that is filtered by bounds: one value each (QRY-3). */
function boundParameters({ path, type, filterable }: PropertyModel, whose: string) {
  if (filterable !== "range") return [];
  const schema = filterSchema(type).bound.use;
  return BOUNDS.map(([bound, words]) => {
    const description = `Lists only ${whose} is ${words} the value.`;
    return { name: `${path}.${bound}`, in: "query", description, schema };
  });
}

/** Of a text that is searched (QRY-7). */
function searchParameters({ path, type, filterable }: PropertyModel, plural: string) {
  if (filterable !== "search") return [];
  const schema = SEARCHED.use;
  const name = markdownName(path);
  const holds = type.kind === "array" ? `some text of ${name}` : name;
  return [
    ["contains", `${holds} contains each word of one of the values`],
    ["startsWith", `${holds} starts with one of the values`],
  ].map(([ending = "", words = ""]) => {
    const description = `Lists only ${plural} where ${words}.`;
    return { name: `${path}.${ending}`, in: "query", description, schema };
  });
}

const BOUNDS = [
  ["atLeast", "at least"],
  ["moreThan", "more than"],
  ["atMost", "at most"],
  ["lessThan", "less than"],
] as const;

/** The schemas of filters that are the same for every property of a kind. */
export function filterSchemas(resources: readonly ResourceModel[]): OpenApi {
  const shared = filteredLeaves(resources).map(({ type, filterable }) => {
    const { values, bound } = filterSchema(type);
    return {
      ...values.shared,
      ...(filterable === "range" && bound.shared),
      ...(filterable === "search" && SEARCHED.shared),
    };
  });
  return Object.assign({}, ...shared) as OpenApi;
}

function filteredLeaves(resources: readonly ResourceModel[]): readonly PropertyModel[] {
  return resources.filter((resource) => operationsOf(resource).lists).flatMap(filterLeaves);
}

/** How a filter is written: a reference to what all of its kind share, but for values of its own. */
function filterSchema(type: PropertyType): FilterSchema {
  const inner = innerType(type);
  const isText = inner.kind === "string";
  // A text is compared as it stands, whatever its property demands beside its format.
  const compared = isText ? { ...inner, pattern: null } : inner;
  const { type: shown, enum: values, ...form } = kindOf(compared).jsonSchema(compared, "whole");
  if (values !== undefined) {
    const items = { type: shown, enum: values };
    return { values: alone({ type: "array", maxItems: MOST_VALUES, items }), bound: alone(items) };
  }
  const { format, pattern = format === "uuid" ? UUID_PATTERN : undefined } = form;
  const items = {
    type: shown,
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && { pattern }),
  };
  const schema = { type: "array", maxItems: MOST_VALUES, items };
  const isAlike = inner.kind !== "decimal" && !(isText && inner.format !== null);
  if (!isAlike) return { values: alone(schema), bound: alone(items) };
  const name = `Common.${upperFirst(inner.kind)}`;
  return { values: common(`${name}Filter`, schema), bound: common(`${name}Bound`, items) };
}

/** The schema of a parameter, and what it shares with others of its kind. */
interface SharedSchema {
  readonly use: OpenApi;
  readonly shared: OpenApi;
}

interface FilterSchema {
  readonly values: SharedSchema;
  /** Of one value. */
  readonly bound: SharedSchema;
}

function alone(schema: OpenApi): SharedSchema {
  return { use: schema, shared: {} };
}

function common(name: string, schema: OpenApi): SharedSchema {
  return { use: { $ref: `#/components/schemas/${name}` }, shared: { [name]: schema } };
}

/** The name of the schema that all searches share. */
export const SEARCH_SCHEMA = "Common.Search";

const SEARCHED = common(SEARCH_SCHEMA, {
  type: "array",
  maxItems: MOST_SEARCHES,
  items: { type: "string", minLength: 1 },
});

/** IDN-4: in upper or lower case. */
const UUID_PATTERN = "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

/** QRY-4 */
function sortParameter(leaves: readonly PropertyModel[]): OpenApi {
  const names = [...leaves.map(({ path }) => path), "createdDate", "lastModifiedDate"];
  return {
    name: "sort",
    in: "query",
    description:
      "The properties to sort by; `-` means descending, and the first takes precedence. Each property may appear once.",
    explode: false,
    schema: {
      type: "array",
      minItems: 1,
      maxItems: names.length,
      uniqueItems: true,
      items: { type: "string", enum: names.flatMap((name) => [name, `-${name}`]) },
    },
  };
}
