import type { ResourceModel } from "../../model/resource-model.js";
import { query, type Check } from "../check.js";
import { isList, type JsonObject } from "../../samples/json.js";
import { seededUuid } from "../../samples/seed.js";
import type { Trial } from "../trial.js";

/** COL: what a list is wrapped in. */
export const COLLECTIONS: readonly Check[] = [
  { rule: "COL-1", run: results },
  { rule: "COL-2", run: counts },
];

/** COL-1: an object with `results`, also where there are none. */
async function results(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    for (const path of [resource.path, `${resource.path}${query(["pageNumber", 999_999])}`]) {
      const listed = await trial.get(path);
      const page = trial.object(listed, 200);
      if (page !== undefined) trial.expect(listed, isList(page["results"]), "a list of results");
    }
    const beyond = await trial.get(`${resource.path}${query(["pageNumber", 999_999])}`);
    trial.value(beyond, trial.object(beyond, 200)?.["results"], [], "results");
  });
}

/** COL-2: four integers about the result set, two where it is not counted. */
async function counts(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    await envelope(trial, resource);
    if (!resource.counted) return;
    await emptySet(trial, resource);
    if (trial.session.obstacle(resource, ["create"]) === null) await countedOn(trial, resource);
  });
}

async function envelope(trial: Trial, resource: ResourceModel): Promise<void> {
  const listed = await trial.get(`${resource.path}${query(["pageSize", 2])}`);
  const page = trial.object(listed, 200);
  if (page === undefined) return;
  trial.value(listed, Object.keys(page).sort(), envelopeNames(resource), "names of the envelope");
  trial.value(listed, page["pageNumber"], 1, "pageNumber");
  trial.value(listed, page["pageSize"], 2, "pageSize");
  if (resource.counted) pageCountFits(trial, page);
}

/** COL-1, COL-2, QRY-9: the names in an envelope with a number. */
export function envelopeNames({ counted, paging }: ResourceModel): readonly string[] {
  const also = [...(counted ? ["itemCount", "pageCount"] : []), ...(paging.next ? ["next"] : [])];
  return ["pageNumber", "pageSize", "results", ...also].sort();
}

function pageCountFits(trial: Trial, page: JsonObject): void {
  const { itemCount, pageCount, pageSize } = page;
  const isWhole = Number.isInteger(itemCount) && Number.isInteger(pageCount);
  trial.expect(trial.latest, isWhole, "itemCount and pageCount are whole numbers");
  const wanted = Math.ceil(Number(itemCount) / Number(pageSize));
  trial.value(trial.latest, pageCount, wanted, "pageCount");
}

/** A filter that nothing matches. */
async function emptySet(trial: Trial, resource: ResourceModel): Promise<void> {
  // A text of a form is refused where it does not have it (QRY-1).
  const filter = resource.properties.find(
    ({ filterable, type }) =>
      filterable && (type.kind === "uuid" || (type.kind === "string" && type.format === null)),
  );
  if (filter === undefined) return;
  const nothing = seededUuid(trial.session.nextSeed());
  const listed = await trial.get(resource.path + query([filter.path, nothing]));
  const page = trial.object(listed, 200);
  trial.value(listed, page?.["itemCount"], 0, "itemCount");
  trial.value(listed, page?.["pageCount"], 0, "pageCount");
}

/** Others may write meanwhile: what is made counts, at least. */
async function countedOn(trial: Trial, resource: ResourceModel): Promise<void> {
  const count = async (): Promise<JsonObject | undefined> =>
    trial.object(await trial.get(`${resource.path}${query(["pageSize", 1])}`), 200);
  for (let turn = 0; ; turn += 1) {
    const before = Number((await count())?.["itemCount"]);
    for (let made = 0; made < 3; made += 1) await trial.make(resource);
    const page = await count();
    if (page === undefined) return;
    if (page["itemCount"] !== before + 3 && turn < 2) continue;
    trial.value(trial.latest, page["itemCount"], before + 3, "itemCount after three more");
    pageCountFits(trial, page);
    return;
  }
}
