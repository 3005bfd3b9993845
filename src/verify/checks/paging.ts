import type { ResourceModel } from "../../model/resource-model.js";
import { at, isList, type JsonObject } from "../../samples/json.js";
import { filterPlaces } from "../bodies.js";
import { query, type Check } from "../check.js";
import { resultsOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";
import { textOf, type Parameter } from "./filtered-lists.js";

/** QRY-5, QRY-9: pages. */
export const PAGING: readonly Check[] = [
  { rule: "QRY-5", run: paging },
  { rule: "QRY-9", run: links },
];

/** QRY-5: pages of a size, counted from 1, which do not overlap. */
async function paging(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    const { defaultSize, maximumSize } = resource.paging;
    for (const path of [resource.path, resource.path + query(["sort", "createdDate"])]) {
      const usual = await trial.get(path);
      const page = trial.object(usual, 200) ?? {};
      trial.value(usual, page["pageSize"], defaultSize, "pageSize");
      trial.value(usual, page["pageNumber"], 1, "pageNumber");
    }
    const largest = await trial.get(resource.path + query(["pageSize", maximumSize]));
    trial.value(largest, trial.object(largest, 200)?.["pageSize"], maximumSize, "pageSize");
    trial.fields(await trial.get(resource.path + query(["pageSize", maximumSize + 1])), "pageSize");
    const beyond = await trial.get(resource.path + query(["pageNumber", 1_000_000]));
    trial.value(beyond, trial.object(beyond, 200)?.["results"], [], "results past the end");
    if (trial.session.obstacle(resource, ["create"]) === null) await pages(trial, resource);
  });
}

/** The pages of a list, and of what each filter by the items of a list finds. */
async function pages(trial: Trial, resource: ResourceModel): Promise<void> {
  let latest: JsonObject = {};
  for (let turn = 0; turn < resource.paging.defaultSize + 1 && turn < 25; turn += 1) {
    latest = await trial.make(resource);
  }
  await areTheWhole(trial, resource, []);
  for (const { path } of filterPlaces(resource)) {
    const items = at(latest, path);
    // The same entity is found by each of its items.
    const texts = isList(items) ? [...new Set(items.map(textOf))] : [];
    const search = texts.slice(0, 3).map((text): Parameter => [path, text]);
    if (search.length > 1) await areTheWhole(trial, resource, search);
  }
  const usual = await trial.get(resource.path);
  const count = resultsOf(usual.answer).length;
  trial.value(usual, count, Math.min(resource.paging.defaultSize, Math.max(count, 1)), "results");
}

/** Pages of one contain the same as one page of all; sorted by creation, so that new entities of others come last. */
async function areTheWhole(
  trial: Trial,
  resource: ResourceModel,
  search: readonly Parameter[],
): Promise<void> {
  const ids = (found: readonly JsonObject[]): readonly string[] =>
    found.map((result) => String(result[resource.name.idProperty]));
  const size = Math.min(6, resource.paging.maximumSize);
  const sorted = [...search, ["sort", "createdDate"]] as const;
  const whole = await trial.get(resource.path + query(...sorted, ["pageSize", size]));
  const parts: JsonObject[] = [];
  for (let number = 1; number <= size; number += 1) {
    const asked = query(...sorted, ["pageSize", 1], ["pageNumber", number]);
    const part = await trial.get(resource.path + asked);
    trial.value(part, trial.object(part, 200)?.["pageNumber"], number, "pageNumber");
    parts.push(...resultsOf(part.answer));
  }
  trial.value(whole, ids(resultsOf(whole.answer)), ids(parts), "the results of its pages");
}

/** So many pages are followed. */
const FOLLOWED = 3;

/** QRY-9: pages of one that lead to each other show what one page of all does; sorted by creation, so that those of others come last. */
async function links(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean =>
    filterPlaces(resource).every(({ path }) => path !== "after");
  const otherwise = "every list has a filter called after";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    const sorted: Parameter = ["sort", "createdDate"];
    const all = resource.path + query(sorted, ["pageSize", FOLLOWED]);
    const { answer } = await trial.get(all);
    for (let known = resultsOf(answer).length; known < FOLLOWED; known += 1)
      await trial.make(resource);
    const whole = await trial.get(all);
    const seen: JsonObject[] = [];
    let token: string | null = null;
    let first = "";
    for (let turn = 0; turn < FOLLOWED; turn += 1) {
      const after: readonly Parameter[] = token === null ? [] : [["after", token]];
      const page = await trial.get(resource.path + query(sorted, ["pageSize", "1"], ...after));
      const body = trial.object(page, 200);
      if (body === null || body === undefined) return;
      seen.push(...resultsOf(page.answer));
      trial.expect(page, "pageNumber" in body === (token === null), "a number without a token");
      token = tokenOf(page);
      if (turn === 0) first = token ?? "";
      if (token === null && turn === FOLLOWED - 1) break;
      if (!trial.expect(page, token !== null, 'a Link header with rel="next"')) return;
      if (resource.paging.next) trial.value(page, body["next"], token, "next");
    }
    trial.value(whole, resultsOf(whole.answer), seen, "the results of the pages that are linked");
    const others = [
      query(sorted, ["after", `x${first}`]),
      query(["sort", "lastModifiedDate"], ["after", first]),
    ];
    for (const other of others) trial.fields(await trial.get(resource.path + other), "after");
  });
}

function tokenOf({ answer }: Exchange): string | null {
  const [, url = ""] = /^<(.*)>; rel="next"$/.exec(String(answer.headers["link"] ?? "")) ?? [];
  return new URLSearchParams(url.split("?")[1]).get("after");
}
