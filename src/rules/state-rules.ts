import { rule, type RuleFamily } from "./rule.js";

/** STA: states, and the transitions between them. */
export const STATES: RuleFamily = {
  prefix: "STA",
  title: "states",
  section: "3",
  rules: [
    rule({
      id: "STA-1",
      title: "Only declared transitions are made",
      asks: "A schema names a state property, its initial state (or a list of those that a create may name, the first by default), and what may follow each. A create in another state, or an update that makes no allowed transition, is refused.",
      why: "A process that is written down is the same for every client.",
      example: {
        language: "yaml",
        wrong:
          "states: { property: status, initial: open, transitions: { open: [close] } }    # close is not a value",
        right:
          "states: { property: status, initial: open, transitions: { open: [closed], closed: [] } }",
      },
      kept: {
        codes: ["STA-1", "SCH-66", "SCH-67", "SCH-68", "SCH-69", "SCH-70", "SCH-71"],
        checks: ["check-states"],
        runtime: ["entity/states"],
        entity: ["states"],
        openapi: [
          "components > schemas > <Entity>UpdateDto > properties > <property> > x-transitions",
          "components > schemas > <Entity>CreateDto > properties > <property> > enum",
        ],
      },
    }),
    rule({
      id: "STA-2",
      title: "A refusal names the state, and what can follow",
      asks: "409, `Invalid<Entity>StateMessage`; the description has the current state and the next ones.",
      why: "The client learns what it can do instead.",
      example: {
        language: "json",
        wrong: '{ "errors": [{ "type": "ConflictMessage", "message": "Conflict" }] }',
        right:
          '{ "errors": [{ "type": "InvalidOrderStateMessage", "message": "The order is not in a valid state.", ... }] }',
      },
      kept: {
        runtime: ["base/errors", "entity/states"],
        openapi: ["paths > /<resources>/{<entity>Id} > patch > responses > 409"],
        tests: ["sta-2-refusals-name-the-state"],
      },
    }),
    rule({
      id: "STA-3",
      title: "A schema says what a state allows",
      asks: "In which states other properties can be updated, and in which an entity can be deleted. A transition sent with other properties is judged by the state that it leaves.",
      why: "An order that was shipped is not edited afterwards.",
      example: {
        language: "http",
        wrong: 'PATCH { "label": "x" } of a shipped order   -> 200',
        right: 'PATCH { "label": "x" } of a shipped order   -> 409 InvalidOrderStateMessage',
      },
      kept: {
        codes: ["STA-1"],
        checks: ["check-states"],
        runtime: ["entity/states"],
        entity: ["states"],
        openapi: ["components > responses > <Entity>Undeletable"],
      },
    }),
  ],
};

/** EVT: events about changes of entities. */
export const EVENTS: RuleFamily = {
  prefix: "EVT",
  title: "events",
  section: "6",
  rules: [
    rule({
      id: "EVT-1",
      title: "Changes become events where they are declared",
      asks: "CloudEvents 1.0, written in the transaction of the change, and delivered at least once, in order per entity.",
      why: "Every change is announced, and nothing that did not happen is.",
      example: {
        language: "yaml",
        wrong: "# an HTTP call in a hook: lost when the service stops between the two",
        right: "events: [created, updated, deleted]",
      },
      lacks: "events of your own, and an AsyncAPI document",
      kept: {
        runtime: ["events/event-relay", "events/event-queue", "store/entity-events"],
        entity: ["events"],
        tests: ["evt-1-changes-become-events"],
      },
    }),
  ],
};
