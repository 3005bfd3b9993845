import { ts } from "../naming/code.js";
import { literal } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import { filterLeaves, leavesOf } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
import { arrayCode, objectCode } from "./layout.js";
import { comparedLists, variedProperties } from "./test-values.js";
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
