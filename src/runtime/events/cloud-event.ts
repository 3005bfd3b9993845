/** The media type of an event with its data: CloudEvents 1.0, JSON format, structured mode. */
export const CLOUD_EVENT_TYPE = "application/cloudevents+json; charset=utf-8";

/** Enough for the number of an entity's revisions. */
const SEQUENCE_DIGITS = 10;

/** A change of an entity, as sinks receive it (EVT-1): CloudEvents 1.0. */
export interface CloudEvent<Type extends string = string, Data = unknown> {
  readonly specversion: "1.0";
  /** Identical in each delivery of the event. */
  readonly id: string;
  /** `/shop` */
  readonly source: string;
  /** `shop.v1.orders.created` */
  readonly type: Type;
  /** The identifier of the entity. */
  readonly subject: string;
  /** The time of the change. */
  readonly time: string;
  /** The position among the events of one entity, as text: `0000000002`. A late retry keeps its smaller value. */
  readonly sequence: string;
  readonly datacontenttype: "application/json";
  /** The entity in this version. After a deletion, only its identifier. */
  readonly data: Data;
}

export interface StoredEvent {
  readonly topic: string;
  readonly entityId: string;
  readonly revision: number;
  /** `created`, `shipped` */
  readonly kind: string;
  readonly time: string;
  readonly id: string;
  /** JSON. Null if only the identifier is stored. */
  readonly data: string | null;
}

/** `shop.v1.orders.created` */
export function eventType(service: string, { topic, kind }: Pick<StoredEvent, "topic" | "kind">) {
  return `${service}.${topic.replace("/", ".")}.${kind}`;
}

/** Writes the event as JSON. `data` is JSON, too. */
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
