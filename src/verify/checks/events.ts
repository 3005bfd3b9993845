import type { EventKind, ResourceModel } from "../../model/resource-model.js";
import { otherReplacement, settablePart } from "../bodies.js";
import { bring } from "../bring.js";
import { pathOf, type Check } from "../check.js";
import type { EventLog } from "../event-log.js";
import type { Exchange } from "../exchange.js";
import { isObject, type JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";
import { made, placeOf, triedBy, valid, type Tried } from "./tried-action.js";

/** EVT-1: each change is announced as a CloudEvent 1.0, in the order of the changes, and so is what actions emit. */
export const EVENTS: readonly Check[] = [
  {
    rule: "EVT-1",
    run: async (trial) => {
      const { events } = trial.session.options;
      if (events === null) {
        trial.obstacles.add("nobody receives its events: a webhook to --events <port> would");
        return;
      }
      const changed: Changed[] = [];
      const where = ({ announces }: ResourceModel): boolean => announces.length > 0;
      const otherwise = "no resource announces changes";
      await trial.each({ needs: ["create"], where, otherwise }, async (resource) => {
        changed.push(await changes(trial, resource));
        for (const action of resource.actions)
          changed.push(...(await emitted(trial, { resource, action })));
      });
      await arrival(trial, events, changed);
      for (const one of changed) await trial.attempt(async () => announced(trial, one, events));
    },
  },
];

const CHANGES: readonly EventKind[] = ["created", "updated", "deleted"];
/** How long events may take to come. A service looks for them each second. */
const WAIT_MILLISECONDS = 10_000;
/** What came too often has come by then. */
const MORE_MILLISECONDS = 500;
const PAUSE_MILLISECONDS = 50;

const NOTHING_CAME = "no event at all: does a webhook of the service lead to the port of --events?";

/** What was done to an entity, and how it was answered. */
interface Changed {
  readonly resource: ResourceModel;
  readonly id: string;
  /** Its events of these kinds are looked at: custom code may emit others. */
  readonly kinds: readonly string[];
  readonly wanted: readonly Wanted[];
}

interface Wanted {
  readonly kind: string;
  readonly exchange: Exchange;
  /** As it was answered; null: it is gone. */
  readonly entity: JsonObject | null;
}

/** Makes an entity, changes and deletes it, as far as that is offered; a change that is refused lies between. */
async function changes(trial: Trial, resource: ResourceModel): Promise<Changed> {
  const entity = await trial.make(resource);
  const wanted: Wanted[] = [{ kind: "created", exchange: trial.latest, entity }];
  const path = pathOf(resource, entity);
  const may = (operation: "update" | "delete"): boolean =>
    trial.session.obstacle(resource, [operation]) === null;
  if (may("update")) {
    await trial.send("PATCH", path, { body: { nobodyKnowsThis: 1 } });
    const body = otherReplacement(resource, entity, () => trial.session.nextSeed());
    const exchange = body === null ? null : await trial.send("PATCH", path, { body });
    const { status, json } = exchange?.answer ?? {};
    if (exchange !== null && status === 200 && isObject(json))
      wanted.push({ kind: "updated", exchange, entity: json });
  }
  if (may("delete")) {
    const exchange = await trial.send("DELETE", path);
    if (exchange.answer.status === 204) wanted.push({ kind: "deleted", exchange, entity: null });
  }
  const id = String(entity[resource.name.idProperty]);
  const announced = wanted.filter(({ kind }) => resource.announces.includes(kind));
  return { resource, id, kinds: CHANGES, wanted: announced };
}

/** Does an action that emits an event to an entity; none where that is refused. */
async function emitted(
  trial: Trial,
  { resource, action }: Pick<Tried, "resource" | "action">,
): Promise<readonly Changed[]> {
  const { emits: kind, states: from, answers, leadsTo } = action;
  // Without --leave, nothing is led to where it could not be deleted again.
  const mayEnd = leadsTo === null || trial.session.mayEnter(resource, leadsTo);
  const tried = kind === null || !mayEnd ? null : await triedBy(trial, resource, action);
  let entity = tried && (await made(trial, tried));
  const { states } = resource.entity;
  if (entity !== null && states !== null && from !== null)
    entity = await bring(trial, { resource, states, entity }, (state) => from.includes(state));
  if (kind === null || tried === null || entity === null) return [];
  const [path, sent] = [pathOf(resource, entity), { body: valid(trial, tried) }];
  const exchange = await trial.send("POST", placeOf(tried, entity), sent, tried.actor);
  if (exchange.answer.status >= 300) return [];
  const shown = answers === "entity" ? exchange : await trial.send("GET", path, {}, tried.actor);
  if (shown.answer.status !== 200 || !isObject(shown.answer.json)) return [];
  const id = String(entity[resource.name.idProperty]);
  // The time of the event is that of the action, and not of the change before it.
  const wanted = { kind, exchange, entity: settablePart(resource, shown.answer.json) };
  return [{ resource, id, kinds: [kind], wanted: [wanted] }];
}

/** Waits until as many have come as there should be, and a moment longer. */
async function arrival(trial: Trial, events: EventLog, changed: readonly Changed[]): Promise<void> {
  const { now } = trial.session.options;
  const until = now() + WAIT_MILLISECONDS;
  const isThere = (one: Changed): boolean => eventsOf(one, events).length >= one.wanted.length;
  while (now() < until && !changed.every(isThere)) await pause(PAUSE_MILLISECONDS);
  await pause(MORE_MILLISECONDS);
}

function announced(trial: Trial, changed: Changed, events: EventLog): void {
  const { resource, id, wanted } = changed;
  const come = eventsOf(changed, events);
  const [last] = wanted.slice(-1);
  if (last === undefined) return;
  const topic = `${trial.session.model.name}.${resource.version}.${resource.name.plural}.`;
  const kinds = come.map(({ type }) => String(type).replace(topic, "")).join();
  const expected = wanted.map(({ kind }) => kind).join();
  const got = events.received.length === 0 ? NOTHING_CAME : kinds;
  if (!trial.expect(last.exchange, kinds === expected, `the events ${expected}`, got)) return;
  for (const [index, { exchange, entity }] of wanted.entries()) {
    const event = come[index] ?? {};
    const { specversion, datacontenttype, time, source, data = null } = event;
    trial.value(exchange, specversion, "1.0", "specversion of its event");
    trial.value(exchange, datacontenttype, "application/json", "datacontenttype of its event");
    trial.expect(exchange, typeof source === "string" && source !== "", "an event with a source");
    if (entity === null) {
      trial.value(exchange, data, { [resource.name.idProperty]: id }, "data of its event");
    } else {
      trial.value(exchange, time, entity["lastModifiedDate"] ?? time ?? null, "time of its event");
      trial.holds(exchange, settablePart(resource, entity), data);
    }
  }
}

/** Those of one entity in its version, each once. */
function eventsOf({ resource, id, kinds }: Changed, { received }: EventLog): readonly JsonObject[] {
  const ends = kinds.map((kind) => `.${resource.version}.${resource.name.plural}.${kind}`);
  const own = received.filter(
    ({ subject, type }) => subject === id && ends.some((end) => String(type).endsWith(end)),
  );
  return own.filter(
    (event, index) => own.findIndex((other) => other["id"] === event["id"]) === index,
  );
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
