import { flat, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { joined, ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { call } from "../kinds/expression.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import { comparedLeaves, innerType } from "../model/leaves.js";
import { insteadAt, storedPathOf, type Projection } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import { insteadCode } from "./instead-code.js";
import { arrayCode, objectCode } from "./layout.js";
import { tableOf } from "./modules.js";
import { queriedLeaves } from "./nested.js";

/** What a list of a resource can be asked for (QRY): `collectionQuery(orderTable, { ... })`. */
export function collectionCode(resource: ResourceModel): TsCode {
  const { properties, commonFilters, paging, counted, entity, projection, search } = resource;
  const stored = new Map(
    [...queriedLeaves(entity), ...queriedCommonLeaves(entity)].map((leaf) => [leaf.path, leaf]),
  );
  const offered = [...comparedLeaves(properties), ...commonFilters].flatMap((leaf) =>
    propertyEntry(leaf, projection, stored),
  );
  const { defaultSize, maximumSize } = paging;
  const paths = search.map((path) => literal(storedPathOf(path, projection)));
  const list = arrayCode(paths, { indent: 2, before: "search: ", after: "," });
  const searched = paths.length === 0 ? [] : [ts`\n  search: ${list},`];
  return ts`@collectionQuery(${tableOf(entity.name)}, {
  properties: ${objectCode(offered, { indent: 2, expanded: true })},
  paging: { defaultSize: ${defaultSize}, maximumSize: ${maximumSize}${paging.next ? ts`, next: true` : ts``} },
  counted: ${counted},${joined(searched, "")}
})`;
}

/** `price: { filterable: "range", sortable: true }`; none where a list can be asked for neither. */
function propertyEntry(
  leaf: PropertyModel,
  projection: Projection,
  stored: ReadonlyMap<string, PropertyModel>,
): TsCode[] {
  const { path, filterable, sortable } = leaf;
  const isFiltered = filterable !== false;
  if (!isFiltered && !sortable) return [];
  const storedPath = storedPathOf(path, projection);
  const others = insteadAt(path, projection);
  const offered = objectDoc([
    ...(isFiltered ? filterEntry(leaf, stored.get(storedPath)) : []),
    ...(sortable ? [ts`sortable: true`] : []),
    ...(path === storedPath ? [] : [ts`stored: ${literal(storedPath)}`]),
    ...(others.length === 0 ? [] : [ts`instead: ${insteadCode(others)}`]),
  ]);
  return [printed(prefixed(ts`${key(path)}: `, offered), { indent: 4, after: "," })];
}

/** The filter of the table, or one of its own where what is shown is of another type (VER-2). */
function filterEntry(
  { type, filterable }: PropertyModel,
  stored: PropertyModel | undefined,
): Doc[] {
  const filter = kindOf(type).filter(type);
  if (filter === null || filterable === false) return [];
  if (stored !== undefined && isComparedAlike(stored.type, type)) {
    return [ts`filterable: ${filterable === true ? ts`true` : literal(filterable)}`];
  }
  // A function of the runtime has that name.
  const own = filterable === true ? filter : call(filterable, [filter]);
  return [prefixed(ts`filterable: `, own)];
}

/** The values of an enum may be others in each version, under the same name. */
function isComparedAlike(one: PropertyType, other: PropertyType): boolean {
  const told = (type: PropertyType): string => {
    const inner = innerType(type);
    const filter = kindOf(type).filter(type);
    return JSON.stringify([filter && flat(filter), inner.kind === "enum" ? inner.values : []]);
  };
  return told(one) === told(other);
}
