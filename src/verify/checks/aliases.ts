import { askingAs } from "../asking.js";
import { pathConditions, type AliasModel } from "../../model/alias-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { placesOf } from "../bodies.js";
import { isSameSubject, reachOf } from "../caller.js";
import { query, type Check } from "../check.js";
import { isWithin } from "../conditions.js";
import { at, isList, isObject, type JsonObject } from "../../samples/json.js";
import { makeAs } from "../make-as.js";
import { resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";
import { candidates } from "./candidates.js";
import { envelopeNames } from "./collections.js";
import { inOrder } from "./sorting.js";

/** ALI: searches with a path of their own. */
export const ALIASES: readonly Check[] = [{ rule: "ALI-1", run: aliases }];

/** ALI-1: an alias shows what its conditions say, and takes what its collection takes. */
async function aliases(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean => resource.aliases.length > 0;
  const otherwise = "no resource has an alias";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    for (const alias of resource.aliases) {
      await trial.attempt(async () => {
        const own = await candidates(trial, resource, alias.conditions);
        const made = isMine(alias) ? [...own, ...(await ofOthers(trial, resource))] : own;
        await members(trial, resource, { alias, made });
        await parameters(trial, resource, alias);
      });
    }
  });
}

function isMine({ conditions }: AliasModel): boolean {
  return pathConditions(conditions).some(({ kind }) => kind === "mine");
}

/** What other callers make, as far as there are some: it is not the asking caller's. */
async function ofOthers(trial: Trial, resource: ResourceModel): Promise<readonly JsonObject[]> {
  const { options } = trial.session;
  const asking = trial.session.callerFor(resource);
  const others = options.callers.filter(
    (caller) => !isSameSubject(caller, asking, options.model) && caller.token !== null,
  );
  const made: JsonObject[] = [];
  for (const caller of others) {
    const answer = (await makeAs(trial, resource, caller))?.answer;
    const isShown = reachOf(resource, "list", asking) === "all";
    if (isShown && answer?.status === 201 && isObject(answer.json)) made.push(answer.json);
  }
  return made;
}

async function members(
  trial: Trial,
  resource: ResourceModel,
  { alias, made }: { alias: AliasModel; made: readonly JsonObject[] },
): Promise<void> {
  const { idProperty } = resource.name;
  const size = resource.paging.maximumSize;
  const listed = await trial.get(alias.path + query(["sort", "-createdDate"], ["pageSize", size]));
  const page = trial.object(listed, 200);
  if (page === undefined) return;
  trial.value(listed, Object.keys(page).sort(), envelopeNames(resource), "names of the envelope");
  const results = resultsOf(listed.answer);
  inOrder(trial, listed, resource, [{ path: "createdDate", descending: true }]);
  const shown = new Set(results.map((result) => result[idProperty]));
  const asking = askingAs(trial.session, resource);
  for (const entity of made) {
    const wanted = isWithin(resource, alias.conditions, entity, asking);
    if (wanted === null) continue;
    const paths = pathConditions(alias.conditions).map(({ path }) => path);
    const values = paths.map((path) => [path, at(entity, path) ?? null]);
    const told = JSON.stringify(Object.fromEntries(values));
    const is = `${told} ${wanted ? "is" : "is not"} one of ${alias.name}`;
    trial.expect(listed, shown.has(entity[idProperty] ?? null) === wanted, is, "the opposite");
  }
  const strangers = results.filter(
    (result) => isWithin(resource, alias.conditions, result, asking) === false,
  );
  trial.expect(
    listed,
    strangers.length === 0,
    `only entities that the alias ${alias.name} matches`,
  );
}

/** The alias's own order, and the collection's parameters on top. */
async function parameters(
  trial: Trial,
  resource: ResourceModel,
  { path, sort }: AliasModel,
): Promise<void> {
  const own = await trial.get(path + query(["pageSize", resource.paging.maximumSize]));
  inOrder(trial, own, resource, sort);
  const [first] = resultsOf(own.answer);
  const one = await trial.get(path + query(["pageSize", 1]));
  trial.value(
    one,
    resultsOf(one.answer).length,
    first === undefined ? 0 : 1,
    "results on a page of 1",
  );
  trial.fields(await trial.get(`${path}?noSuchName=1`), "noSuchName");
  trial.refusal(await trial.send("POST", path, { body: {} }), 405, "MethodNotAllowedMessage");
  const filter = placesOf(resource.properties, ({ filterable }) => filterable !== false).find(
    ({ path: place }) => typeof at(first, place) === "string",
  );
  if (filter === undefined) return;
  const value = String(at(first, filter.path));
  const filtered = await trial.get(path + query([filter.path, value]));
  const others = resultsOf(filtered.answer).filter((result) => {
    const found = at(result, filter.path);
    return !isList(found) && found !== value;
  });
  const count = resultsOf(filtered.answer).length;
  trial.expect(
    filtered,
    count > 0 && others.length === 0,
    `only those with ${filter.path} ${value}`,
  );
}
