import { flat, type Doc } from "../naming/doc.js";
import { ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { call } from "../kinds/expression.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { filterLeaves, leavesOf } from "../model/leaves.js";
import { insteadAt, storedPathOf } from "../model/projection.js";
import { insteadCode } from "./instead-code.js";
import { arrayCode, objectCode } from "./layout.js";

/** What a list of a resource can be asked for (QRY), as templates print it. */
export interface CollectionView {
  readonly filters: TsCode;
  readonly sorts: TsCode;
  /** Some of the names are other ones in the store (REP-7). */
  readonly renames: boolean;
  readonly stored: TsCode;
  /** Some of the values that are stored are shown as others (VER-2). */
  readonly substitutes: boolean;
  readonly instead: TsCode;
  readonly defaultSize: number;
  readonly maximumSize: number;
  readonly counted: boolean;
}

/** The filters, with the runtime functions that they use, and the sorts. */
export function collectionView(resource: ResourceModel): CollectionView {
  const { properties, projection, paging, counted } = resource;
  const leaves = leavesOf(properties);
  const filters = filterLeaves(resource).flatMap((leaf) => {
    const filter = filterOf(leaf);
    return filter === null ? [] : [ts`${key(leaf.path)}: ${flat(filter)}`];
  });
  const sorts = leaves.filter((leaf) => leaf.sortable).map((leaf) => literal(leaf.path));
  const renamed = leaves
    .filter(({ filterable, sortable }) => filterable || sortable)
    .map(({ path }) => ({ path, storedPath: storedPathOf(path, projection) }))
    .filter(({ path, storedPath }) => path !== storedPath)
    .map(({ path, storedPath }) => ts`${key(path)}: ${literal(storedPath)}`);
  const instead = leaves
    .filter(({ filterable, sortable }) => filterable || sortable)
    .map(({ path }) => ({ path, others: insteadAt(path, projection) }))
    .filter(({ others }) => others.length > 0)
    .map(({ path, others }) => ts`${key(path)}: ${insteadCode(others)}`);
  return {
    filters: objectCode(filters, { indent: 2, expanded: true }),
    sorts: arrayCode(sorts, { indent: 2, before: "sorts: ", after: "," }),
    renames: renamed.length > 0,
    stored: objectCode(renamed, { indent: 2, expanded: true }),
    substitutes: instead.length > 0,
    instead: objectCode(instead, { indent: 2, before: "instead: ", after: "," }),
    defaultSize: paging.defaultSize,
    maximumSize: paging.maximumSize,
    counted,
  };
}

function filterOf({ filterable, type }: PropertyModel): Doc | null {
  const filter = kindOf(type).filter(type);
  return filter !== null && filterable === "range" ? call("range", [filter]) : filter;
}
