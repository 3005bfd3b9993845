import { flat, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { call } from "../kinds/expression.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import { filterLeaves, innerType, leavesOf } from "../model/leaves.js";
import { insteadAt, storedPathOf } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import { insteadCode } from "./instead-code.js";
import { objectCode } from "./layout.js";
import { tableOf } from "./modules.js";
import { queriedLeaves } from "./nested.js";

/** What a list of a resource can be asked for (QRY): `collectionQuery(orderTable, { ... })`. */
export function collectionCode(resource: ResourceModel): TsCode {
  const { properties, paging, counted, entity } = resource;
  const filtered = filterLeaves(resource);
  const paths = new Map([...leavesOf(properties), ...filtered].map((leaf) => [leaf.path, leaf]));
  const offered = [...paths.values()].flatMap((leaf) =>
    propertyEntry(
      resource,
      leaf,
      filtered.some(({ path }) => path === leaf.path),
    ),
  );
  const { defaultSize, maximumSize } = paging;
  return ts`@collectionQuery(${tableOf(entity.name)}, {
  properties: ${objectCode(offered, { indent: 2, expanded: true })},
  paging: { defaultSize: ${defaultSize}, maximumSize: ${maximumSize} },
  counted: ${counted},
})`;
}

/** `price: { filterable: "range", sortable: true }`; none where a list can be asked for neither. */
function propertyEntry(
  resource: ResourceModel,
  leaf: PropertyModel,
  isFiltered: boolean,
): TsCode[] {
  const { path, sortable } = leaf;
  if (!isFiltered && !sortable) return [];
  const storedPath = storedPathOf(path, resource.projection);
  const others = insteadAt(path, resource.projection);
  const offered = objectDoc([
    ...(isFiltered ? filterEntry(resource, leaf, storedPath) : []),
    ...(sortable ? [ts`sortable: true`] : []),
    ...(path === storedPath ? [] : [ts`stored: ${literal(storedPath)}`]),
    ...(others.length === 0 ? [] : [ts`instead: ${insteadCode(others)}`]),
  ]);
  return [printed(prefixed(ts`${key(path)}: `, offered), { indent: 4, after: "," })];
}

/** The filter of the table, or one of its own where what is shown is of another type (VER-2). */
function filterEntry(
  { entity }: ResourceModel,
  { type, filterable }: PropertyModel,
  storedPath: string,
): Doc[] {
  const filter = kindOf(type).filter(type);
  if (filter === null) return [];
  const isRange = filterable === "range";
  const stored = [...queriedLeaves(entity), ...queriedCommonLeaves(entity)].find(
    ({ path }) => path === storedPath,
  );
  if (stored !== undefined && isComparedAlike(stored.type, type)) {
    return [isRange ? ts`filterable: "range"` : ts`filterable: true`];
  }
  return [prefixed(ts`filterable: `, isRange ? call("range", [filter]) : filter)];
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
