import { pathsOf, referencesOf } from "../../model/references.js";
import { objectOf } from "../../kinds/values.js";
import type { Operation, ResourceModel } from "../../model/resource-model.js";
import { fullBody } from "../bodies.js";
import { asking, isCertain, type Caller } from "../caller.js";
import { CannotMake, MISSING, query } from "../check.js";
import { at, type JsonObject } from "../../samples/json.js";
import { firstAt, withFirstAt } from "../places.js";
import { sendable } from "../sendable.js";
import type { Session } from "../session.js";
import { allReferringOf } from "./references.js";

/** A request that names an entity. */
export interface Way {
  readonly method: string;
  readonly path: (id: string) => string;
  /** Left out: it has no body. */
  readonly body?: (id: string) => JsonObject;
  readonly caller: Caller;
  /** The status for an identifier that does not exist; null: another rule decides it. */
  readonly status: 400 | 404 | null;
}

/** Every request that names an entity, each sent by the caller with the most access. */
export function waysTo(session: Session, resource: ResourceModel): readonly Way[] {
  return [
    ...ownWays(session, resource),
    ...actionWays(session, resource),
    ...belowWays(session, resource),
    ...filterWays(session, resource),
  ];
}

/** By its own path, in upper case as well (IDN-4), and as a filter. */
function ownWays(session: Session, resource: ResourceModel): readonly Way[] {
  const { path: collection, name, operations } = resource;
  const caller = session.callerFor(resource);
  const path = (id: string): string => `${collection}/${id}`;
  const ways: readonly (readonly [Operation, Way])[] = (
    [
      ["read", "GET"],
      ["read", "HEAD"],
      ["update", "PATCH"],
      ["delete", "DELETE"],
    ] as const
  ).map(([operation, method]) => {
    const status = isCertain(resource, operation, caller) ? 404 : null;
    const body = method === "PATCH" ? { body: () => ({}) } : {};
    return [operation, { method, path, caller, status, ...body }];
  });
  const capitals = (id: string): string => path(id.toUpperCase());
  const filter = (id: string): string => collection + query([name.idProperty, id]);
  const get = { method: "GET", caller, status: null };
  const more: typeof ways = [
    ["read", { ...get, path: capitals }],
    ["list", { ...get, path: filter }],
  ];
  return [...ways, ...more]
    .filter(([operation]) => operations.includes(operation))
    .map(([, way]) => way);
}

/** PUT, whose body is valid for the caller; throws `CannotMake` where there is none. */
export function replaceWay(session: Session, resource: ResourceModel): Way {
  const body = fullBody(resource, session.nextSeed(), false);
  const caller = session.callerFor(resource);
  const path = (id: string): string => `${resource.path}/${id}`;
  return { method: "PUT", path, body: () => body, caller, status: null };
}

function actionWays(session: Session, resource: ResourceModel): readonly Way[] {
  const { path: collection, actions } = resource;
  return actions
    .filter(({ on }) => on === "entity")
    .map((action) => {
      const asked = asking(resource, action);
      const able = session.options.callers.find((one) => isCertain(asked, "update", one));
      const caller = able ?? session.callerFor(resource);
      const input = sendable(action.input.properties, caller, session.anchors);
      const body = objectOf(input ?? [], session.nextSeed());
      const path = (id: string): string => `${collection}/${id}/${action.name}`;
      const isRead = input !== null && isCertain(resource, "read", caller);
      const status = able !== undefined && isRead ? 404 : null;
      return { method: "POST", path, body: () => body, caller, status };
    });
}

/** Requests for what is listed under the entity (CHD-1). */
function belowWays(session: Session, above: ResourceModel): readonly Way[] {
  const below = session.everyResource.filter((one) =>
    pathsOf(one).some(({ path }) => path === above.path),
  );
  return below.flatMap((resource) => {
    const { name, operations, aliases } = resource;
    const caller = session.callerFor(resource);
    const under =
      (rest: string) =>
      (id: string): string =>
        `${above.path}/${id}/${name.plural}${rest}`;
    const lists = ["", ...aliases.map((alias) => `/${alias.name}`)].map((rest) => ({
      ...{ method: "GET", path: under(rest), caller, status: null },
    }));
    const made = { method: "POST", path: under(""), body: () => ({}), caller, status: null };
    return [
      ...(operations.includes("list") ? lists : []),
      ...(operations.includes("create") ? [made] : []),
    ];
  });
}

/** Lists of what refers to it. */
function filterWays(session: Session, target: ResourceModel): readonly Way[] {
  return ofVersion(session, target).flatMap((resource) => {
    if (!resource.operations.includes("list")) return [];
    const caller = session.callerFor(resource);
    return referencesOf(resource)
      .filter(({ type }) => isTo(target, type) && type.identifier.filterable !== false)
      .map(({ type }) => {
        const path = (id: string): string => resource.path + query([type.identifier.path, id]);
        return { method: "GET", path, caller, status: null };
      });
  });
}

/** A resource, and where its bodies refer to another one. */
export interface Referrer {
  readonly resource: ResourceModel;
  readonly path: string;
  readonly idName: string;
}

/** What can be made that refers to an entity of a resource; a child names its parent in the path alone (CHD-1). */
export function referrersOf(session: Session, target: ResourceModel): readonly Referrer[] {
  return ofVersion(session, target)
    .filter(
      ({ operations, isRepresentation }) => operations.includes("create") && !isRepresentation,
    )
    .flatMap((resource) =>
      allReferringOf(resource.properties)
        .filter(({ reference }) => !reference.isParent && isTo(target, reference))
        .map(({ property, reference }) => {
          return { resource, path: property.path, idName: reference.identifier.name };
        }),
    );
}

/** A body that is valid except for its reference to the entity. Throws `CannotMake` if none can be made. */
export function referringWay(session: Session, { resource, path: place, idName }: Referrer): Way {
  const obstacle = session.obstacle(resource, ["create"]);
  if (obstacle !== null) throw new CannotMake(obstacle);
  const caller = session.callerFor(resource);
  const whole = fullBody(resource, session.nextSeed());
  const body = (id: string): JsonObject => withFirstAt(whole, place, { [idName]: id });
  if (at(firstAt(body(MISSING), place), idName) !== MISSING) {
    throw new CannotMake(`${resource.name.plural} have nothing at ${place} in this run`);
  }
  const path = session.placeOf(resource);
  const status = isCertain(resource, "create", caller) ? 400 : null;
  return { method: "POST", path: () => path, body, caller, status };
}

function ofVersion(session: Session, { version }: ResourceModel): readonly ResourceModel[] {
  return session.everyResource.filter((one) => one.version === version);
}

function isTo(
  { name }: ResourceModel,
  { target }: { readonly target: { readonly name: { readonly plural: string } } | null },
): boolean {
  return target?.name.plural === name.plural;
}
