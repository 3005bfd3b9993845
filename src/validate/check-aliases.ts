import { checkSort, checkWhere } from "./check-where.js";
import { mapping, own } from "./plain.js";
import type { CheckedResource } from "./read-resource.js";
import type { Scope } from "./scope.js";

/** ALI-1: an alias compares existing properties with valid values, and its resource offers list. */
export function checkAliases({ value, properties, findings }: CheckedResource, scope: Scope): void {
  const aliases = mapping(value["aliases"]);
  const operations = value["operations"];
  for (const [name, alias] of Object.entries(aliases)) {
    const path = ["aliases", name];
    if (Array.isArray(operations) && !operations.includes("list")) {
      const suggestion = "Add list to `operations`, or remove the alias.";
      findings.add("ALI-1", { path, part: "key" }, { name }, { suggestion });
    }
    if (own(alias, "where") === undefined && own(alias, "sort") === undefined) {
      const suggestion = "Add `where: { status: open }` or `sort: [-createdDate]`, for example.";
      findings.add("SCH-213", { path, part: "key" }, {}, { suggestion });
    }
    const where = { value: own(alias, "where"), path: [...path, "where"] };
    checkWhere(where, properties, findings, scope);
    const sort = { value: own(alias, "sort"), path: [...path, "sort"] };
    checkSort(sort, properties, findings, scope);
  }
}
