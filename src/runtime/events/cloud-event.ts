/** The media type of an event with its data: CloudEvents 1.0, JSON format, structured mode. */
export const CLOUD_EVENT_TYPE = "application/cloudevents+json; charset=utf-8";

/** More than an entity has revisions. */
const SEQUENCE_DIGITS = 10;

/** A change of an entity, as whoever hears of it gets it (EVT-1): CloudEvents 1.0. */
export interface CloudEvent<Type extends string = string, Data = unknown> {
  readonly specversion: "1.0";
  /** The same for each delivery of the event. */
  readonly id: string;
  /** `/shop` */
  readonly source: string;
  /** `shop.v1.orders.created` */
  readonly type: Type;
  /** The identifier of the entity. */
  readonly subject: string;
  /** When the change was made. */
  readonly time: string;
  /** Puts the events of one entity in order, as text: `0000000002`. What is sent again later has a smaller one. */
  readonly sequence: string;
  readonly datacontenttype: "application/json";
  /** The entity as the version shows it; of one that was deleted, its identifier alone. */
  readonly data: Data;
}

/** An event as it is stored. */
export interface StoredEvent {
  readonly topic: string;
  readonly entityId: string;
  readonly revision: number;
  /** `created`, `shipped` */
  readonly kind: string;
  readonly time: string;
  readonly id: string;
  /** JSON; null: only its identifier is known. */
  readonly data: string | null;
}

/** `shop.v1.orders.created` */
export function eventType(service: string, { topic, kind }: Pick<StoredEvent, "topic" | "kind">) {
  return `${service}.${topic.replace("/", ".")}.${kind}`;
}

/** The event as JSON. `data` is JSON as well. */
export function eventText(
  { source, type, data }: { readonly source: string; readonly type: string; readonly data: string },
  event: StoredEvent,
): string {
  const head: Omit<CloudEvent, "data"> = {
    specversion: "1.0",
    id: event.id,
    source,
    type,
    subject: event.entityId,
    time: event.time,
    sequence: String(event.revision).padStart(SEQUENCE_DIGITS, "0"),
    datacontenttype: "application/json",
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
}
