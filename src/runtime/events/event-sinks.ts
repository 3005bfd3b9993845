import { truncate } from "../base/texts.js";
import type { CloudEvent } from "./cloud-event.js";
import { isSecret, SECRET_FORM } from "./webhooks.js";

/** Where a service sends its events (EVT-1). */
export interface EventSinks<Event extends CloudEvent, OwnContext> {
  /**
   * Called for each event at least once: a second time where the process ended before it was noted, with the same `id`. Those
   * of one entity come one after the other, in the order of its changes. Where it throws, the event is tried again later, and
   * those of other entities go on.
   */
  deliver?(event: Event, context: OwnContext): void | Promise<void>;
  /**
   * Returns the receivers of events; called every few seconds. Where it throws, or takes longer than 15 seconds, those that it
   * returned last are kept.
   */
  webhooks?(context: OwnContext): readonly Webhook[] | Promise<readonly Webhook[]>;
}

/** An address that events are sent to by POST, signed as Standard Webhooks says. */
export interface Webhook {
  /**
   * Names it in the database: events that wait for it stay its own when the address changes. At most 100 characters, none of
   * them a control character.
   */
  readonly name: string;
  /** `https://example.com/events`; `http:` is for tests. Redirects are not followed. */
  readonly url: string;
  /** Each `whsec_` and 24 to 64 bytes in base64, with `+` and `/`. Every event is signed with all of them, so that one can take the place of another. */
  readonly secrets: readonly string[];
  /** The types of events that are sent: `shop.v1.orders.created`; left out: all. */
  readonly types?: readonly string[];
  /** Whether the address may be of a private network, or of this machine; left out: false. */
  readonly isPrivate?: boolean;
}

/** A webhook as `webhooks()` returned it. */
interface CheckedWebhook {
  readonly name: string;
  /** A text: the mistake because of which its events wait until it is corrected. */
  readonly webhook: Webhook | string;
}

/** The webhooks with a name, and a sentence for each mistake. Custom code can return anything, whatever its type says. */
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

/** PostgreSQL stores no U+0000, and neither database half of a surrogate pair. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;

function nameOf(entry: unknown): string | null {
  try {
    const { name } = entry as Webhook;
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}

/** A copy of the webhook, so that what is checked here is what is used later; or a sentence about its mistake. */
function readWebhook(name: string, entry: unknown): Webhook | string {
  try {
    const { url, secrets, types, isPrivate = false } = entry as Readonly<Record<string, unknown>>;
    if (typeof url !== "string" || !/^https?:\/\//.test(url) || !URL.canParse(url))
      return "needs a URL that begins with https:// or http://";
    if (!isTextList(secrets) || secrets.length === 0 || !secrets.every(isSecret))
      return `needs secrets, each ${SECRET_FORM}: echo whsec_$(openssl rand -base64 32)`;
    if (types !== undefined && !isTextList(types)) return "needs a list of texts as its types";
    if (typeof isPrivate !== "boolean") return "needs true or false as isPrivate";
    const read = { name, url, secrets: [...secrets], isPrivate };
    return types === undefined ? read : { ...read, types: [...types] };
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

/** A sentence for each type that a webhook asks for and no event has; it is sent the others. */
function unknownTypes({ name, types = [] }: Webhook, known: readonly string[]): string[] {
  const unknown = types.filter((type) => !known.includes(type));
  return unknown.map(
    (type) =>
      `The webhook ${quoted(name)} of src/app.ts asks for ${quoted(type)}, which is not the type of an event. Types are: ${known.join(", ")}.`,
  );
}
