import { truncate } from "../base/texts.js";
import { isSecret, SECRET_FORM } from "./webhooks.js";

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
  /** AUT-4: null for an entity that all tenants share. */
  readonly tenant: string | null;
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

/** The sinks of a service's events (EVT-1). */
export interface EventSinks<Event extends CloudEvent, OwnContext> {
  /**
   * Delivers an event. Called at least once for each event: again with the same `id` if the process ends before the delivery is
   * recorded. The events of one entity arrive in order, one at a time. If the function throws, its event is retried later, and
   * events of other entities continue. The caller of `context` has the tenant of the entity (AUT-4).
   */
  deliver?(event: Event, context: OwnContext): void | Promise<void>;
  /** Returns the webhooks; called every few seconds. If a call throws or takes over 15 seconds, the last ones are kept. */
  webhooks?(context: OwnContext): readonly Webhook[] | Promise<readonly Webhook[]>;
}

/** An address that receives events by POST, signed as in Standard Webhooks. */
export interface Webhook {
  /**
   * The key of the webhook in the database, to which waiting events are assigned even if the address changes. At most 100
   * characters, without control characters.
   */
  readonly name: string;
  /** `https://example.com/events`. `http:` is for tests. Redirects are not followed. */
  readonly url: string;
  /**
   * Secrets of `whsec_` and 24 to 64 bytes in base64 with `+` and `/`. Every event is signed with all of them, so that secrets
   * can be rotated.
   */
  readonly secrets: readonly string[];
  /** The types of events to send: `shop.v1.orders.created`. Defaults to all. */
  readonly types?: readonly string[];
  /** AUT-4: the tenant whose events are sent, with those of what all tenants share. Defaults to the latter alone. */
  readonly tenant?: string;
  /** True if the address may be in a private network or on this machine. Defaults to false. */
  readonly isPrivate?: boolean;
}

interface CheckedWebhook {
  readonly name: string;
  /** A string describes a mistake. The events wait until the mistake is corrected. */
  readonly webhook: Webhook | string;
}

/** Returns the webhooks with a name, and a sentence for each mistake, because custom code can return anything. */
export function checkWebhooks(
  returned: readonly unknown[],
  { taken, types }: { readonly taken: string; readonly types: readonly string[] },
): { readonly webhooks: readonly CheckedWebhook[]; readonly mistakes: readonly string[] } {
  const webhooks: CheckedWebhook[] = [];
  const mistakes: string[] = [];
  const names = new Set([taken]);
  for (const [index, entry] of returned.entries()) {
    const name = nameOf(entry);
    const label = name === null ? `Webhook ${index + 1}` : `The webhook ${quoted(name)}`;
    if (name === null || !NAME.test(name) || names.has(name)) {
      mistakes.push(`${label} of src/app.ts needs a name of its own, of 1 to 100 characters.`);
      continue;
    }
    names.add(name);
    const read = readWebhook(name, entry);
    const webhook = typeof read === "string" ? `${label} of src/app.ts ${read}.` : read;
    mistakes.push(...(typeof webhook === "string" ? [webhook] : unknownTypes(webhook, types)));
    webhooks.push({ name, webhook });
  }
  return { webhooks, mistakes };
}

/** No control characters, of which PostgreSQL cannot store U+0000, and no halves of surrogate pairs, which no database can store. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;

function nameOf(entry: unknown): string | null {
  try {
    const { name } = entry as Webhook;
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}

/** Returns a checked copy of the webhook, which custom code cannot change later, or a sentence about its mistake. */
function readWebhook(name: string, entry: unknown): Webhook | string {
  try {
    const {
      url,
      secrets,
      types,
      tenant,
      isPrivate = false,
    } = entry as Readonly<Record<string, unknown>>;
    if (typeof url !== "string" || !/^https?:\/\//.test(url) || !URL.canParse(url))
      return "needs a URL that begins with https:// or http://";
    if (!isTextList(secrets) || secrets.length === 0 || !secrets.every(isSecret))
      return `needs secrets, each ${SECRET_FORM}: echo whsec_$(openssl rand -base64 32)`;
    if (types !== undefined && !isTextList(types)) return "needs a list of texts as its types";
    if (typeof isPrivate !== "boolean") return "needs true or false as isPrivate";
    if (tenant !== undefined && (typeof tenant !== "string" || !NAME.test(tenant)))
      return "needs the name of a tenant as its tenant";
    return {
      ...{ name, url, secrets: [...secrets], isPrivate },
      ...(types !== undefined && { types: [...types] }),
      ...(tenant !== undefined && { tenant }),
    };
  } catch {
    return "cannot be read";
  }
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function quoted(name: string): string {
  return JSON.stringify(truncate(name));
}

/** Returns a sentence for each type that no event has. The webhook still receives its other types. */
function unknownTypes({ name, types = [] }: Webhook, known: readonly string[]): string[] {
  const unknown = types.filter((type) => !known.includes(type));
  return unknown.map(
    (type) =>
      `The webhook ${quoted(name)} of src/app.ts asks for ${quoted(type)}, which is not the type of an event. Types are: ${known.join(", ")}.`,
  );
}
