import type { CloudEvent } from "./cloud-event.js";

/** Where a service sends its events (EVT-1). */
export interface EventSinks<Event extends CloudEvent, OwnContext> {
  /**
   * Called for each event at least once: a second time where the process ended before it was noted, with the same `id`. Those
   * of one entity come one after the other, in the order of its changes. Where it throws, the event is tried again later, and
   * those of other entities go on.
   */
  deliver?(event: Event, context: OwnContext): void | Promise<void>;
  /** Whom events are sent to; asked anew every few seconds. */
  webhooks?(context: OwnContext): readonly Webhook[] | Promise<readonly Webhook[]>;
}

/** An address that events are sent to by POST, signed as Standard Webhooks says. */
export interface Webhook {
  /** Names it in the database: events that wait for it stay its own when the address changes. At most 100 characters. */
  readonly name: string;
  /** `https://example.com/events`; `http:` is for tests. Redirects are not followed. */
  readonly url: string;
  /** Each `whsec_` and 24 to 64 bytes in base64. Every event is signed with all of them, so that one can take the place of another. */
  readonly secrets: readonly string[];
  /** The types of events that are sent: `shop.v1.orders.created`; left out: all. */
  readonly types?: readonly string[];
  /** Whether the address may be of a private network, or of this machine; left out: false. */
  readonly isPrivate?: boolean;
}

/** A sentence for each type that a webhook asks for and no event has; it is sent the others. */
export function unknownTypes(
  { name, types = [] }: Pick<Webhook, "name" | "types">,
  known: readonly string[],
): string[] {
  const unknown = types.filter((type) => !known.includes(type));
  return unknown.map(
    (type) =>
      `The webhook ${JSON.stringify(name)} of src/app.ts asks for ${JSON.stringify(type)}, which is not the type of an event. Types are: ${known.join(", ")}.`,
  );
}
