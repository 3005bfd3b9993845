import type { ResourceModel } from "../../model/resource-model.js";
import { leastBody } from "../bodies.js";
import { isSameSubject, mayDo, type Caller, type Verdict } from "../caller.js";
import { pathOf } from "../check.js";
import { without, type JsonObject } from "../../samples/json.js";
import { makeAbove } from "../make-as.js";
import { needsOthers } from "../sendable.js";
import { resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";

/** A child that one caller has made under another's parent. */
interface Filed {
  readonly resource: ResourceModel;
  readonly above: ResourceModel;
  readonly owner: Caller;
  readonly filer: Caller;
}

interface Made {
  readonly parent: JsonObject;
  readonly child: JsonObject;
}

/** AUT-2: what each caller may do with a child that one caller created under the parent of another. */
export async function childAccess(
  trial: Trial,
  resource: ResourceModel,
  everybody: readonly Caller[],
): Promise<void> {
  const above = trial.session.resources.find(({ path }) => path === resource.parent?.path);
  if (above === undefined) return;
  for (const owner of everybody) {
    const filer = everybody.find((other) =>
      canFile(trial, { resource, above, owner, filer: other }),
    );
    if (filer === undefined) continue;
    const filed = { resource, above, owner, filer };
    for (const caller of everybody) await seen(trial, filed, caller);
    await deleted(trial, filed);
  }
}

/** Another one, who may read the parent and make the child, and both of which can be deleted again. */
function canFile({ session }: Trial, { resource, above, owner, filer }: Filed): boolean {
  const { model } = session;
  if (filer.token === null || isSameSubject(filer, owner, model)) return false;
  const isOthers = { isOwn: false, isParentOwn: false };
  return (
    session.mayMake(above, owner) &&
    session.mayMake(resource, filer) &&
    mayDo(above, "read", filer, isOthers) === "yes" &&
    mayDo(resource, "create", filer, isOthers) === "yes" &&
    !needsOthers(resource, filer)
  );
}

async function file(trial: Trial, { resource, above, owner, filer }: Filed): Promise<Made | null> {
  const parent = await makeAbove(trial, above, owner);
  const { parent: relation } = resource;
  if (parent === null || relation === null) return null;
  const body = without(leastBody(resource, trial.session.nextSeed()), relation.property);
  const place = `${pathOf(above, parent)}/${resource.name.plural}`;
  const exchange = await trial.send("POST", place, { body }, filer);
  const child = trial.object(exchange, 201);
  return child === undefined ? null : { parent, child };
}

/** Every path shows the child to callers who may read it, and to nobody else. */
async function seen(trial: Trial, filed: Filed, caller: Caller): Promise<void> {
  const { resource, above, owner, filer } = filed;
  if (caller.token === null) return;
  const made = await file(trial, filed);
  if (made === null) return;
  const { model } = trial.session;
  const isParentOwn = isSameSubject(caller, owner, model);
  const isOwn = isSameSubject(caller, filer, model);
  const known = mayDo(resource, "read", caller, { isOwn, isParentOwn });
  const isVisible = await isRead(trial, { resource, entity: made.child, caller }, known);
  if (isVisible === null || !resource.operations.includes("list")) return;
  const knownAbove = mayDo(above, "read", caller, { isOwn: isParentOwn, isParentOwn });
  const isAbove = await isRead(trial, { resource: above, entity: made.parent, caller }, knownAbove);
  if (isAbove === null) return;
  const id = made.child[resource.name.idProperty];
  for (const path of [resource.path, `${pathOf(above, made.parent)}/${resource.name.plural}`]) {
    const listed = await trial.send("GET", `${path}?sort=-createdDate`, {}, caller);
    const shown = resultsOf(listed.answer).some((one) => one[resource.name.idProperty] === id);
    const isWanted = isVisible && (path === resource.path || isAbove);
    trial.expect(
      listed,
      shown === isWanted,
      isWanted ? "the child in the list" : "no child in the list that the caller may not read",
    );
  }
}

/** Whether an entity is read, as it should be; null where only the service's own code could tell, and no read shows it. */
async function isRead(
  trial: Trial,
  { resource, entity, caller }: { resource: ResourceModel; entity: JsonObject; caller: Caller },
  known: Verdict,
): Promise<boolean | null> {
  if (!resource.operations.includes("read")) return known === "perhaps" ? null : known === "yes";
  const read = await trial.send("GET", pathOf(resource, entity), {}, caller);
  const { status } = read.answer;
  const isShown = known === "perhaps" ? status === 200 : known === "yes";
  if (isShown) trial.status(read, 200);
  else trial.refusal(read, 404, `${resource.entity.name.typeName}NotFoundMessage`);
  return isShown;
}

/** Deleting the parent requires the right to delete the child, unless the schema says otherwise. */
async function deleted(trial: Trial, filed: Filed): Promise<void> {
  const { resource, above, owner, filer } = filed;
  const own = { isOwn: true, isParentOwn: true };
  const rightsAbove = (["delete", "read"] as const).map((one) => mayDo(above, one, owner, own));
  const mayDelete = rightsAbove.every((right) => right === "yes");
  if (!above.operations.includes("delete") || owner.token === null || !mayDelete) return;
  const made = await file(trial, filed);
  if (made === null) return;
  const theirs = { isOwn: false, isParentOwn: true };
  const rights = (["read", "delete"] as const).map((one) => mayDo(resource, one, owner, theirs));
  const isAllowed = rights.every((right) => right === "yes");
  const exchange = await trial.send("DELETE", pathOf(above, made.parent), {}, owner);
  if (resource.parent?.takesAlong === true || isAllowed) {
    const isDone = exchange.answer.status === 204 || exchange.answer.status === 409;
    trial.expect(exchange, isDone, "what access allows");
    return;
  }
  // What the service's own code gives may be enough.
  if (!rights.includes("no") && exchange.answer.status !== 403) return;
  trial.refusal(exchange, 403, "ForbiddenMessage");
  if (!resource.operations.includes("read")) return;
  if (mayDo(resource, "read", filer, { isOwn: true, isParentOwn: false }) !== "yes") return;
  trial.status(await trial.send("GET", pathOf(resource, made.child), {}, filer), 200);
}
