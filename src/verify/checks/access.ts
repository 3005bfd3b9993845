import type { ResourceModel } from "../../model/resource-model.js";
import { isAskingCode, isSameSubject, NOBODY, reachOf, type Caller } from "../caller.js";
import { pathOf, type Check } from "../check.js";
import { makeAs } from "../make-as.js";
import { childAccess } from "./child-access.js";
import { operations } from "./entity-access.js";
import { given } from "./given-access.js";
import { collection, listed } from "./list-access.js";
import { aliasAccess, representedAccess } from "./represented-access.js";
import { fieldsOf } from "../exchange.js";
import type { Trial } from "../trial.js";
import { referringOf } from "./references.js";

/** AUT-2: who may do what. */
export const ACCESS: readonly Check[] = [{ rule: "AUT-2", run: access }];

/** AUT-2: every operation, by everybody, on what is theirs and on what is not. */
async function access(trial: Trial): Promise<void> {
  const { model, options } = trial.session;
  if (model.authentication.scheme === "none") {
    trial.absences.add("the service has no authentication");
    return;
  }
  if (options.callers.length < 2) {
    trial.obstacles.add("one token shows little about access: give several with --token");
  }
  const everybody = [NOBODY, ...options.callers];
  await trial.each({ needs: [] }, async (resource) => {
    for (const caller of everybody) await collection(trial, resource, caller);
    for (const owner of everybody) {
      if (!trial.session.mayMake(resource, owner)) continue;
      for (const caller of everybody) await entity(trial, resource, { owner, caller });
    }
    await aliasAccess(trial, resource, everybody);
    for (const caller of everybody) await listed(trial, resource, caller);
    await given(trial, resource, everybody);
    await representedAccess(trial, resource, everybody);
    for (const caller of options.callers) await unreadable(trial, resource, caller);
    await childAccess(trial, resource, options.callers);
  });
}

/** One entity of somebody's, asked for by somebody. */
async function entity(
  trial: Trial,
  resource: ResourceModel,
  { owner, caller }: { owner: Caller; caller: Caller },
): Promise<void> {
  const made = await makeAs(trial, resource, owner);
  const entity = made === null ? undefined : trial.object(made, 201);
  if (entity !== undefined) await operations(trial, resource, { entity, owner, caller });
}

/** What a caller may not read is not there: neither as a parent, nor as what a reference leads to. */
async function unreadable(trial: Trial, resource: ResourceModel, caller: Caller): Promise<void> {
  const { session } = trial;
  if (!resource.operations.includes("create") || reachOf(resource, "create", caller) === "none") {
    return;
  }
  const above = session.resources.find(({ path }) => path === resource.parent?.path);
  if (above !== undefined) {
    if (!(await isHidden(trial, above, caller))) return;
    const made = await trial.send("POST", session.placeOf(resource), { body: {} }, caller);
    trial.refusal(made, 404, `${above.name.typeName}NotFoundMessage`);
    return;
  }
  for (const { property, reference, isList } of referringOf(resource)) {
    const target = session.resources.find(
      ({ name }) => name.plural === reference.target?.name.plural,
    );
    const { name } = reference.identifier;
    const id = target && session.nextSeed().anchors(target.name.plural)[0]?.[name];
    if (target === undefined || id === undefined) continue;
    if (!(await isHidden(trial, target, caller))) continue;
    const value = isList ? [{ [name]: id }] : { [name]: id };
    const made = await trial.send(
      "POST",
      resource.path,
      { body: { [property.name]: value } },
      caller,
    );
    const wanted = `${property.name}${isList ? "[0]" : ""}.${name}`;
    trial.expect(made, fieldsOf(made.answer).includes(wanted), `400 that names ${wanted}`);
  }
}

/** Whether a caller may not read what this run has made of a resource: it is somebody else's. */
export async function isHidden(
  trial: Trial,
  resource: ResourceModel,
  caller: Caller,
): Promise<boolean> {
  const reach = reachOf(resource, "read", caller);
  if (reach === "all") return false;
  const { session } = trial;
  const above = session.resources.find(({ path }) => path === resource.parent?.path);
  const makers = [resource, ...(above === undefined ? [] : [above])];
  const isOthers = !makers.some((made) =>
    isSameSubject(session.callerFor(made), caller, session.model),
  );
  if (reach === "none" || !isAskingCode(resource.access.read)) return reach === "none" || isOthers;
  // The service's own code decides: a read tells what it has decided.
  const [first] = session.anchors.of(resource.name.plural);
  if (first === undefined || !resource.operations.includes("read")) return false;
  const { answer } = await trial.send("GET", pathOf(resource, first), {}, caller);
  return answer.status === 404;
}
