import type { PropertyModel } from "../../kinds/property-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { replacement } from "../bodies.js";
import { pathOf, type Check } from "../check.js";
import { headerOf, type Exchange } from "../exchange.js";
import { isEqual, type JsonObject } from "../../samples/json.js";
import { isGiven, tellGiven } from "../samples.js";
import type { Trial } from "../trial.js";
import { referringOf } from "./references.js";

/** OPS-10: the tag of an entity, and what comes of naming it. */
export const PRECONDITIONS: readonly Check[] = [
  {
    rule: "OPS-10",
    run: async (trial) => {
      const otherwise = "no resource makes what it also reads, changes or deletes";
      await trial.each({ needs: ["create"], where: isAddressed, otherwise }, async (resource) => {
        const entity = await trial.make(resource);
        const tag = tagOf(trial, trial.latest);
        if (tag === null) return;
        if (trial.session.obstacle(resource, ["read"]) === null) {
          await reads(trial, pathOf(resource, entity));
        }
        for (const method of changesOf(trial, resource)) {
          await changes(trial, { resource, entity, tag }, method);
        }
        await moves(trial, resource);
        for (const { property, reference, isList } of referringOf(resource)) {
          if (!isList && !reference.isParent) await embeds(trial, resource, property);
        }
      });
    },
  },
];

/** An entity, and the tag that it was answered with. */
interface Tagged {
  readonly resource: ResourceModel;
  readonly entity: JsonObject;
  readonly tag: string;
}

/** Of these, two values that differ in JSON are two values. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(["string", "enum", "integer", "boolean"]);

const METHODS = { replace: "PUT", update: "PATCH", delete: "DELETE" } as const;

function isAddressed({ operations }: ResourceModel): boolean {
  return operations.some((operation) => operation !== "create" && operation !== "list");
}

function changesOf(trial: Trial, resource: ResourceModel): readonly string[] {
  const offered = (["replace", "update", "delete"] as const).filter(
    (operation) => trial.session.obstacle(resource, [operation]) === null,
  );
  return offered.map((operation) => METHODS[operation]);
}

/** Expects a strong tag; null where there is none. */
function tagOf(trial: Trial, exchange: Exchange): string | null {
  const tag = headerOf(exchange.answer, "etag");
  const isStrong = /^"[\x21\x23-\x7e\x80-\xff]+"$/.test(tag);
  const isTagged = trial.expect(exchange, isStrong, "a strong ETag", `ETag: ${tag}`);
  return isTagged ? tag : null;
}

/** 304 for who has the body, with `If-None-Match` compared weakly; the body for everybody else. */
async function reads(trial: Trial, path: string): Promise<void> {
  const read = await trial.get(path);
  if (!trial.status(read, 200)) return;
  const tag = tagOf(trial, read);
  if (tag === null) return;
  for (const known of [tag, `W/${tag}`, `"another", ${tag}`, "*"]) {
    const again = await trial.get(path, { "if-none-match": known });
    trial.status(again, 304);
    trial.value(again, again.answer.text, "", "the body");
    trial.value(again, headerOf(again.answer, "etag"), tag, "ETag");
  }
  trial.status(await trial.get(path, { "if-none-match": '"another"' }), 200);
  const refused = await trial.get(path, { "if-match": '"another"' });
  trial.refusal(refused, 412, "PreconditionFailedMessage");
}

/** A change of what has another tag is refused, a weak tag is never the same, and nothing has happened. */
async function changes(trial: Trial, tagged: Tagged, method: string): Promise<void> {
  const { resource, entity, tag } = tagged;
  const path = pathOf(resource, entity);
  const body = method === "DELETE" ? {} : { body: {} };
  for (const match of ['"another"', `W/${tag}`]) {
    const refused = await trial.send(method, path, { ...body, headers: { "if-match": match } });
    trial.refusal(refused, 412, "PreconditionFailedMessage");
  }
  if (resource.isMatchRequired) {
    const refused = await trial.send(method, path, { ...body, isUnconditional: true });
    trial.refusal(refused, 428, "PreconditionRequiredMessage");
  }
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  const read = await trial.get(path);
  if (trial.status(read, 200, ", and as it was")) {
    trial.value(read, headerOf(read.answer, "etag"), tag, "ETag");
  }
}

/** An update with the tag is made, and leaves another one; the old one is refused then. */
async function moves(trial: Trial, resource: ResourceModel): Promise<void> {
  if (trial.session.obstacle(resource, ["update"]) !== null) return;
  const entity = await trial.make(resource);
  const tag = headerOf(trial.latest.answer, "etag");
  const change = changeOf(trial, resource, entity);
  if (change === null) return;
  const path = pathOf(resource, entity);
  const headers = { "if-match": `"another", ${tag}` };
  const same = await trial.send("PATCH", path, { body: {}, headers });
  if (!trial.status(same, 200)) return;
  trial.value(same, headerOf(same.answer, "etag"), tag, "ETag of what was not changed");
  const changed = await trial.send("PATCH", path, { body: change, headers });
  if (!trial.status(changed, 200)) return;
  const moved = tagOf(trial, changed);
  trial.expect(changed, moved !== tag, "another ETag than before", `ETag: ${moved ?? ""}`);
  const late = await trial.send("PATCH", path, { body: {}, headers });
  trial.refusal(late, 412, "PreconditionFailedMessage");
}

/** A change of what is embedded leaves another tag on who embeds it. */
async function embeds(
  trial: Trial,
  resource: ResourceModel,
  { name, type }: PropertyModel,
): Promise<void> {
  const target = type.kind === "reference" ? type.target : null;
  const { session } = trial;
  const other = session.resources.find(
    (one) => one.version === resource.version && one.name.plural === target?.name.plural,
  );
  if (type.kind !== "reference" || other === undefined) return;
  const isTried =
    session.obstacle(resource, ["read"]) === null &&
    session.obstacle(other, ["create", "update"]) === null;
  if (!isTried) return;
  const { identifier, embedded } = type;
  const shown = await trial.makeReferred(other);
  const change = changeOf(trial, other, shown, new Set(embedded.map((one) => one.name)));
  if (change === null) return;
  const entity = await trial.make(resource, {
    [name]: { [identifier.name]: shown[identifier.name] ?? null },
  });
  const tag = headerOf(trial.latest.answer, "etag");
  const changed = await trial.send("PATCH", pathOf(other, shown), { body: change });
  if (!trial.status(changed, 200)) return;
  const read = await trial.get(pathOf(resource, entity), { "if-none-match": tag });
  trial.status(read, 200, `, since ${name} has changed`);
  const now = headerOf(read.answer, "etag");
  trial.expect(read, now !== tag, "another ETag than before", `ETag: ${now}`);
}

/** A change of a property that can be changed at once, to another value than the stored one; null where there is none. */
function changeOf(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
  among?: ReadonlySet<string>,
): JsonObject | null {
  const { properties } = resource;
  const { states } = resource.entity;
  if (states?.updatableIn.includes(String(entity[states.property])) === false) return null;
  const free = properties.filter(
    ({ name, type, immutable, readOnly }) =>
      PLAIN_KINDS.has(type.kind) &&
      !(immutable || readOnly || name === states?.property) &&
      (among?.has(name) ?? true),
  );
  const whole = replacement(resource, entity, trial.session.nextSeed());
  const name = free
    .map((one) => one.name)
    .filter((one) => !isGiven(trial, resource, one))
    .find((one) => whole[one] !== undefined && !isEqual(whole[one], entity[one]));
  if (name === undefined) {
    tellGiven(trial, resource, free);
    return null;
  }
  return { [name]: whole[name] ?? null };
}
