import { runtime, type Mutant } from "./mutant.js";

/** EVT-1: what is announced of changes. */
export const EVENT_MUTANTS: readonly Mutant[] = [
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("store/entity-store"),
    find: 'this.events("updated", made',
    replace: 'this.events("created", made',
    why: "a change is announced as something new",
  },
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("store/entity-store"),
    find: "own, ...events]",
    replace: "own]",
    why: "nobody hears of a deletion",
  },
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("events/event-queue"),
    find: "ORDER BY revision LIMIT",
    replace: "ORDER BY revision DESC LIMIT",
    why: "the last change of an entity is announced first",
  },
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("store/entity-events"),
    find: 'kind === "deleted" ? null : version.show(entity)',
    replace: 'kind === "deleted" ? null : "{}"',
    why: "an event shows nothing of the entity",
  },
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("store/entity-events"),
    find: "newIdentifier(), data",
    replace: '"one", data',
    why: "all events have one id",
  },
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("entity/actions"),
    find: "this.emitOf(made, ({ actions }) => actions?.[name], unit)",
    replace: "made",
    why: "an action emits nothing",
  },
  {
    rule: "EVT-1",
    service: "versions",
    file: runtime("store/entity-store"),
    find: "this.eventsOf(locked, eventOf, this",
    replace:
      'this.eventsOf({ ...locked, entity: { ...locked.entity, status: "placed" } }, eventOf, this',
    why: "the event of an action shows the entity before it",
  },
];
