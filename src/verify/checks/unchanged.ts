import type { ResourceModel } from "../../model/resource-model.js";
import { settablePart } from "../bodies.js";
import { moment, pathOf, type Check } from "../check.js";
import { bring } from "../bring.js";
import type { JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";

/** ENT-4: an update that changes nothing leaves the common fields as they were, and no state refuses it. */
export const UNCHANGED: readonly Check[] = [
  {
    rule: "ENT-4",
    run: async (trial) => {
      await trial.each({ needs: ["create", "read"] }, async (resource) => {
        await changesNothing(trial, resource, await trial.make(resource));
      });
      const where = ({ entity: { states } }: ResourceModel): boolean =>
        states !== null && states.updatableIn.length < states.transitions.length;
      const otherwise = "no resource forbids updates in a state";
      const fitting = trial.session.resources.some(where);
      if (fitting)
        await trial.each(
          { needs: ["create", "update"], where, otherwise, inAnyState: true },
          closed(trial),
        );
    },
  },
];

async function changesNothing(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  await moment();
  const path = pathOf(resource, entity);
  const bodies = { PATCH: {}, PUT: settablePart(resource, entity) } as const;
  for (const [operation, method] of [
    ["update", "PATCH"],
    ["replace", "PUT"],
  ] as const) {
    if (trial.session.obstacle(resource, [operation], { inAnyState: true }) !== null) continue;
    const exchange = await trial.send(method, path, { body: bodies[method] });
    const after = trial.object(exchange, 200);
    for (const name of ["lastModifiedDate", "lastModifiedSubject"]) {
      if (after !== undefined) trial.value(exchange, after[name], entity[name] ?? null, name);
    }
  }
}

/** In a state in which other properties may not be changed. */
function closed(trial: Trial): (resource: ResourceModel) => Promise<void> {
  return async (resource) => {
    const { states } = resource.entity;
    if (states === null) return;
    const made = await trial.make(resource);
    const entity = await bring(
      trial,
      { resource, states, entity: made },
      (state) => !states.updatableIn.includes(state) && trial.session.mayEnter(resource, state),
    );
    if (entity !== null) await changesNothing(trial, resource, entity);
  };
}
