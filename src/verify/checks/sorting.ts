import type { PropertyModel } from "../../kinds/property-model.js";
import { fitsText } from "../../kinds/string/text-values.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { placesOf } from "../bodies.js";
import { query, type Check } from "../check.js";
import { resultsOf, type Exchange } from "../exchange.js";
import { at, withValue, type Json } from "../../samples/json.js";
import { compareEntities, sortable, type SortKey } from "../order.js";
import { variable } from "../samples.js";
import type { Trial } from "../trial.js";

/** QRY-4: order. */
export const SORTING: readonly Check[] = [{ rule: "QRY-4", run: sort }];

/** Strings that an order by language, or by UTF-16, would put elsewhere. */
const TEXTS = ["Zebra", "apple", "Ähre", "\u{ffee}", "\u{1f600}"];

/** QRY-4: by every sortable property, in both directions; nulls last, ties by the identifier. */
async function sort(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    const paths = sortable(resource);
    if (trial.session.obstacle(resource, ["create"]) === null) await variety(trial, resource);
    for (const path of paths) {
      await isOrdered(trial, resource, [{ path, descending: false }]);
      await isOrdered(trial, resource, [{ path, descending: true }]);
    }
    for (const path of paths.slice(0, 3)) {
      const other = paths.find((one) => one !== path) ?? path;
      await isOrdered(trial, resource, [
        { path, descending: true },
        { path: other, descending: false },
      ]);
    }
    await unsortable(trial, resource, paths);
  });
}

/** Entities with equal values, without values, and with strings that are easily sorted wrongly. */
async function variety(trial: Trial, resource: ResourceModel): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await trial.make(resource);
  const isFree = ({ sortable: isWanted, unique, path }: PropertyModel): boolean =>
    isWanted && !unique && path !== resource.entity.states?.property;
  const places = placesOf(resource.properties, isFree);
  for (const { path, property } of variable(trial, resource, places)) {
    const first = await trial.make(resource);
    const values: Json[] = [at(first, path) ?? null, ...(property.nullable ? [null] : [])];
    const { type } = property;
    if (type.kind === "string" && type.format === null) {
      values.push(...TEXTS.filter((text) => fitsText(text, type)));
    }
    const holder = path.split(".")[0] ?? "";
    for (const value of values) {
      const kept = { [holder]: first[holder] ?? null };
      await trial.make(resource, withValue(kept, path, value));
    }
  }
}

async function isOrdered(
  trial: Trial,
  resource: ResourceModel,
  keys: readonly SortKey[],
): Promise<void> {
  const text = keys.map(({ path, descending }) => `${descending ? "-" : ""}${path}`).join(",");
  const size = resource.paging.maximumSize;
  const listed = await trial.get(resource.path + query(["sort", text], ["pageSize", size]));
  if (trial.status(listed, 200)) inOrder(trial, listed, resource, keys);
}

/** Expects the results in an order. */
export function inOrder(
  trial: Trial,
  listed: Exchange,
  resource: ResourceModel,
  keys: readonly SortKey[],
): void {
  const results = resultsOf(listed.answer);
  const wrong = results.findIndex((right, index) => {
    const left = results[index - 1];
    return left !== undefined && compareEntities(resource, keys, [left, right]) > 0;
  });
  const shown = keys.map(({ path }) => [
    path,
    [at(results[wrong - 1], path), at(results[wrong], path)],
  ]);
  const got = `results ${wrong} and ${wrong + 1}: ${JSON.stringify(Object.fromEntries(shown))}`;
  trial.expect(listed, wrong < 0, "results in order, nulls last, ties by the identifier", got);
}

async function unsortable(
  trial: Trial,
  resource: ResourceModel,
  paths: readonly string[],
): Promise<void> {
  const known = placesOf(resource.properties).find(({ path }) => !paths.includes(path));
  for (const name of [
    ...(known === undefined ? [] : [known.path]),
    "noSuchName",
    "--createdDate",
  ]) {
    trial.fields(await trial.get(resource.path + query(["sort", name])), "sort");
  }
}
