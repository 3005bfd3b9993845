import { canBeLeftOut } from "../../kinds/left-out.js";
import type { PropertyModel } from "../../kinds/property-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody, isUnique, placesOf } from "../bodies.js";
import { pathOf, type Check } from "../check.js";
import { at, isObject, isList, withValue, type JsonObject } from "../../samples/json.js";
import { errorsOf } from "../exchange.js";
import type { Trial } from "../trial.js";
import { readingOf } from "../readings.js";
import { variable } from "../samples.js";
import { wrongValues } from "../wrong-values.js";

/** ERR-4: validation errors. */
export const VALIDATION: readonly Check[] = [{ rule: "ERR-4", run: validation }];

/** ERR-4: each offending property is named by its path, all of them at once. */
async function validation(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    for (const { path, property } of placesOf(resource.properties)) {
      for (const wrong of wrongValues(property, trial.session.nextSeed())) {
        const body = withValue(fullBody(resource, trial.session.nextSeed()), path, wrong.value);
        trial.fields(await trial.post(resource, { body }), `${path}${wrong.at}`);
      }
    }
    await edges(trial, resource);
    await allAtOnce(trial, resource);
    await missing(trial, resource);
    if (trial.session.obstacle(resource, ["update"]) === null) await inChanges(trial, resource);
  });
}

/** A bound itself is allowed. */
async function edges(trial: Trial, resource: ResourceModel): Promise<void> {
  const isBounded = (property: PropertyModel): boolean =>
    !isUnique(resource, property) && readingOf(property.type).edges(property.type).length > 0;
  const places = placesOf(resource.properties, isBounded);
  for (const { path, property } of variable(trial, resource, places)) {
    for (const value of readingOf(property.type).edges(property.type)) {
      const body = withValue(fullBody(resource, trial.session.nextSeed()), path, value);
      const made = await trial.post(resource, { body });
      trial.value(made, at(trial.object(made, 201), path), value, path);
    }
  }
}

/** A body in which as many values as possible have the wrong type. */
function wrongBody(trial: Trial, resource: ResourceModel): { body: JsonObject; paths: string[] } {
  let body = fullBody(resource, trial.session.nextSeed());
  const paths: string[] = [];
  for (const { path, property } of placesOf(resource.properties)) {
    if (property.type.kind === "object") continue;
    const [wrong] = wrongValues(property, trial.session.nextSeed());
    if (wrong === undefined) continue;
    body = withValue(body, path, wrong.value);
    paths.push(path + wrong.at);
  }
  return { body, paths };
}

async function allAtOnce(trial: Trial, resource: ResourceModel): Promise<void> {
  const { body, paths } = wrongBody(trial, resource);
  const refused = await trial.post(resource, { body: { ...body, noSuchName: 1 } });
  trial.fields(refused, ...paths, "noSuchName");
  const [error = {}] = errorsOf(refused.answer);
  const fields = error["fields"];
  const isTold = (isList(fields) ? fields : []).every(
    (one) => isObject(one) && typeof one["message"] === "string" && one["message"].trim() !== "",
  );
  trial.expect(refused, isTold, "a message for each field");
}

/** What is required is named when it is missing. */
async function missing(trial: Trial, resource: ResourceModel): Promise<void> {
  const names = resource.properties
    .filter((property) => !property.readOnly && !canBeLeftOut(property))
    .map(({ name }) => name);
  if (names.length === 0) return;
  trial.fields(await trial.post(resource, { body: {} }), ...names);
}

async function inChanges(trial: Trial, resource: ResourceModel): Promise<void> {
  const entity = await trial.make(resource);
  const { body, paths } = wrongBody(trial, resource);
  // Nothing can be wrong where a client can set nothing.
  if (paths.length === 0) return;
  const refused = await trial.send("PATCH", pathOf(resource, entity), { body });
  trial.fields(refused, ...paths);
}
