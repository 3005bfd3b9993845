import { setTimeout as pause } from "node:timers/promises";
import { serviceCaller } from "../auth/authentication.js";
import { runCustom } from "../base/custom-code.js";
import { withTimeout } from "../base/background.js";
import { loggedError } from "../http/log.js";
import { JobContext, type RequestContext } from "../http/request.js";
import type { EventFailure, EventWork, ServiceRuntime } from "../http/settings.js";
import { StorageUnavailable } from "../store/database.js";
import { eventText, eventType, type CloudEvent, type StoredEvent } from "./cloud-event.js";
import {
  EventQueue,
  LEASE_MILLISECONDS,
  PAGE,
  TakenByAnother,
  UNKNOWN_WEBHOOKS,
  type FailedEvent,
  type Stream,
} from "./event-queue.js";
import { checkWebhooks, type EventSinks } from "./event-sinks.js";
import { WebhookSender, type Delivery } from "./webhooks.js";

/** The name of `deliver` among the sinks; a webhook cannot have it. */
const OWN_CODE = "custom code";
/** An idle service looks for events so often: two statements that find nothing. */
const POLL_MILLISECONDS = 1000;
const SINKS_MILLISECONDS = 5000;
const SWEEP_MILLISECONDS = 3_600_000;
const OWN_CODE_MILLISECONDS = 15_000;
/** Streams that a sink is sent at a time, so that one that is slow or down takes nothing from the others. */
const STREAMS_OF_SINK = 20;
/** The same of one that has refused as many in a row, at each look. */
const STREAMS_OF_DOWN = 4;
/** Longer than a receiver takes that is well, and short enough to stop within five seconds. */
const STOP_MILLISECONDS = 3000;

const FIRST_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 2 * 3_600_000;
/** After these, which take about a day, an event is given up. */
const MOST_ATTEMPTS = 27;

/** The stored entities of one kind whose changes are announced. */
interface AnnouncingStore {
  readonly table: { readonly idProperty: string };
  readonly announced: readonly { readonly topic: string; readonly kinds: readonly string[] }[];
  announcedView(topic: string, id: string): Promise<string | null>;
}

/** What events are made of, and where they go. */
interface EventParts<OwnContext> {
  /** `/shop` */
  readonly source: string;
  /** Those of the service; what nobody announces is passed over. */
  readonly entities: Readonly<Record<string, { readonly store: AnnouncingStore }>>;
  readonly sinks: EventSinks<CloudEvent, OwnContext>;
  readonly contextOf: (request: RequestContext) => OwnContext;
}

/** A receiver of events. */
interface Sink {
  readonly wants: (type: string) => boolean;
  /** Throws where an event could not be delivered. */
  readonly send: (event: StoredEvent, text: string) => Promise<Delivery>;
}

const DELIVERED: Delivery = { refusal: null, released: Promise.resolve() };

/**
 * Delivers events at least once, in order for each entity (EVT-1). It looks into the database for what there is to do, and so
 * do other processes: each takes streams for itself.
 */
export class EventRelay<OwnContext> implements EventWork {
  private readonly queue: EventQueue;
  private readonly stores: ReadonlyMap<string, AnnouncingStore>;
  /** Of all events of the service: what a webhook can ask for. */
  private readonly types: readonly string[];
  private readonly sender = new WebhookSender();
  private sinks: ReadonlyMap<string, Sink>;
  /** Whether `webhooks` of the sinks has returned since the start. */
  private knowsWebhooks: boolean;
  private isReading = false;
  private hasReadFailed = false;
  private readonly underWay = new Map<string, Set<Promise<void>>>();
  /** How many deliveries have failed since the last that did not. */
  private readonly failedInRow = new Map<string, number>();
  /** Sinks for which streams are being taken. */
  private readonly taking = new Set<string>();
  /** The mistakes in the webhooks as they were read last: each is logged once. */
  private mistakes: readonly string[] = [];
  private sinksAt = -Infinity;
  private sweptAt = -Infinity;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly runtime: ServiceRuntime,
    private readonly parts: EventParts<OwnContext>,
  ) {
    this.queue = new EventQueue(runtime.database, runtime.newIdentifier);
    const stores = Object.values(parts.entities).map(({ store }) => store);
    const topics = stores.flatMap((store) =>
      store.announced.map(({ topic }) => [topic, store] as const),
    );
    this.stores = new Map(topics);
    const versions = stores.flatMap(({ announced }) => announced);
    this.types = versions.flatMap(({ topic, kinds }) =>
      kinds.map((kind) => eventType(runtime.settings.service, { topic, kind })),
    );
    this.sinks = this.ownSink();
    this.knowsWebhooks = parts.sinks.webhooks === undefined;
  }

  start(): void {
    this.running = this.run();
  }

  /** Resolves when nothing is being delivered any more, or after a while; another process goes on with the rest. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.sender.stop();
    await this.running;
    const all = [...this.underWay.values()].flatMap((streams) => [...streams]);
    await withTimeout(Promise.all(all), STOP_MILLISECONDS).catch(() => undefined);
    this.sender.close();
  }

  async failures(): Promise<readonly EventFailure[]> {
    return (await this.queue.failures()).map((failed) => this.told(failed));
  }

  async retry({ id, sink }: EventFailure): Promise<string | null> {
    const found = await this.queue.failure(id, sink);
    if (found === null) return null;
    // They are known while events are delivered, and not in a command.
    if (!this.knowsWebhooks) await this.readWebhooks();
    const { refusal } = await this.send(sink, found.event);
    if (refusal === null) await this.queue.forget(id, sink);
    return refusal;
  }

  drop({ id, sink }: EventFailure): Promise<void> {
    return this.queue.forget(id, sink);
  }

  private told({ event, sink, reason, failed }: FailedEvent): EventFailure {
    const type = eventType(this.runtime.settings.service, event);
    return { id: event.id, entityId: event.entityId, type, sink, reason, failed };
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    const { logger, elapsed } = this.runtime;
    let failed = false;
    while (!this.isStopping) {
      try {
        await this.look(elapsed());
        failed = false;
      } catch (error) {
        // A database that is away says so itself, and an event is not lost by it.
        const isTold = error instanceof StorageUnavailable || error instanceof TakenByAnother;
        if (!failed && !isTold) logger.error({ err: error }, "events could not be delivered");
        failed = true;
      }
      await pause(POLL_MILLISECONDS, undefined, { signal: this.stopping.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  private async look(now: number): Promise<void> {
    if (now - this.sinksAt > SINKS_MILLISECONDS && !this.isReading) {
      this.sinksAt = now;
      // Custom code that takes longer holds up no delivery.
      await withTimeout(this.refreshWebhooks(), POLL_MILLISECONDS).catch(() => undefined);
    }
    const hasWebhooks = this.parts.sinks.webhooks !== undefined;
    if (hasWebhooks && this.knowsWebhooks) await this.queue.assignUnknown(this.webhookNames());
    // With no sink that is known, events wait where they are.
    const isAssigning = this.knowsWebhooks || this.sinks.size > 0;
    while (isAssigning && !this.isStopping && (await this.assignSome()));
    for (const name of this.sinks.keys()) if (!this.isStopping) await this.takeFor(name);
    if (now - this.sweptAt < SWEEP_MILLISECONDS) return;
    this.sweptAt = now;
    await this.queue.forgetOld([...this.sinks.keys(), UNKNOWN_WEBHOOKS]);
    while (!this.isStopping && (await this.queue.sweep()));
  }

  private assignSome(): Promise<boolean> {
    // The webhooks can become known while the events are read: what was known before decides for all of them.
    const { sinks, knowsWebhooks } = this;
    const wanting = (event: Pick<StoredEvent, "topic" | "kind">): string[] => {
      const type = eventType(this.runtime.settings.service, event);
      const known = [...sinks].flatMap(([name, { wants }]) => (wants(type) ? [name] : []));
      return knowsWebhooks ? known : [...known, UNKNOWN_WEBHOOKS];
    };
    return this.queue.assign(wanting, knowsWebhooks);
  }

  private webhookNames(): string[] {
    return [...this.sinks.keys()].filter((name) => name !== OWN_CODE);
  }

  private ownSink(): Map<string, Sink> {
    const sink = {
      wants: () => true,
      send: (_event: StoredEvent, text: string) => this.callOwnCode(text),
    };
    return new Map(this.parts.sinks.deliver === undefined ? [] : [[OWN_CODE, sink]]);
  }

  /** Reads the webhooks; where that fails, those that were read last are kept. Does not reject. */
  private async refreshWebhooks(): Promise<void> {
    this.isReading = true;
    try {
      await this.readWebhooks();
      this.hasReadFailed = false;
    } catch (error) {
      const message =
        "webhooks of src/app.ts could not be read; those that were read last are kept";
      if (!this.hasReadFailed) this.runtime.logger.error({ err: error }, message);
      this.hasReadFailed = true;
    } finally {
      this.isReading = false;
    }
  }

  private async readWebhooks(): Promise<void> {
    const { sinks } = this.parts;
    if (sinks.webhooks === undefined) return;
    const work = runCustom("webhooks of events", async () => sinks.webhooks?.(this.context()));
    const returned: unknown = await withTimeout(work, OWN_CODE_MILLISECONDS);
    if (!Array.isArray(returned)) throw new Error("It returned no list.");
    const { webhooks, mistakes } = checkWebhooks(returned, { taken: OWN_CODE, types: this.types });
    for (const one of mistakes) if (!this.mistakes.includes(one)) this.runtime.logger.error(one);
    this.mistakes = mistakes;
    const found = this.ownSink();
    for (const { name, webhook } of webhooks) {
      found.set(name, {
        wants: (type) => typeof webhook === "string" || (webhook.types?.includes(type) ?? true),
        send: async ({ id }, text) => {
          if (typeof webhook === "string") return { ...DELIVERED, refusal: webhook };
          return this.sender.send(webhook, id, text);
        },
      });
    }
    this.sinks = found;
    this.knowsWebhooks = true;
  }

  private async callOwnCode(text: string): Promise<Delivery> {
    const { sinks } = this.parts;
    const event = JSON.parse(text) as CloudEvent;
    const work = runCustom("deliver of events", async () => sinks.deliver?.(event, this.context()));
    await withTimeout(work, OWN_CODE_MILLISECONDS);
    return DELIVERED;
  }

  /** That of the service itself, which may do everything. */
  private context(): OwnContext {
    const { newIdentifier, settings } = this.runtime;
    const caller = serviceCaller(settings.service);
    return this.parts.contextOf(new JobContext(newIdentifier(), caller, this.runtime));
  }

  /**
   * Takes as many streams for a sink as it has room for: many at once, since each look costs the database something. A sink
   * that is down is tried with a few of its streams at each look.
   */
  private async takeFor(name: string): Promise<void> {
    const underWay = this.underWay.get(name) ?? new Set();
    this.underWay.set(name, underWay);
    const room = this.isDown(name) ? STREAMS_OF_DOWN : STREAMS_OF_SINK;
    const free = room - underWay.size;
    if (free < room / 2 || this.taking.has(name)) return;
    this.taking.add(name);
    const streams = await this.queue.take(name, free).finally(() => this.taking.delete(name));
    for (const stream of streams) {
      const work = this.deliver(stream).finally(() => {
        underWay.delete(work);
        // There may be more streams. Those of a sink that is down wait for the next look.
        if (!this.isStopping && !this.isDown(name)) void this.takeFor(name).catch(() => undefined);
      });
      underWay.add(work);
    }
  }

  private isDown(name: string): boolean {
    return (this.failedInRow.get(name) ?? 0) >= STREAMS_OF_SINK;
  }

  /** Delivers the events of a stream as long as it may have it. Does not reject. */
  private async deliver(taken: Stream): Promise<void> {
    // What is being sent then has ended before the lease has.
    const until = this.runtime.elapsed() + LEASE_MILLISECONDS / 3;
    try {
      let stream: Stream | null = taken;
      while (stream !== null) stream = await this.deliverSome(stream, until);
    } catch (error) {
      // Its lease runs out, and whoever takes it next goes on.
      if (error instanceof TakenByAnother || error instanceof StorageUnavailable) return;
      this.runtime.logger.error({ err: error }, "events could not be delivered");
    }
  }

  /** The stream behind its next events; null where it has none, or was given back. */
  private async deliverSome(taken: Stream, until: number): Promise<Stream | null> {
    const { queue } = this;
    const events = await queue.next(taken);
    let stream = taken;
    for (const event of events) {
      const { attempts } = stream;
      const isLate = this.isStopping || this.runtime.elapsed() > until;
      if (isLate) return queue.later(stream, attempts, 0);
      const { refusal, released } = await this.send(stream.sink, event);
      const isLast = event === events.at(-1) && events.length < PAGE;
      let next: Stream | null;
      if (refusal === null && isLast) next = await queue.end(stream, event.revision);
      else if (refusal === null) next = await queue.delivered(stream, event);
      else if (attempts + 1 >= MOST_ATTEMPTS) next = await this.giveUp(stream, event, refusal);
      else next = await queue.later(stream, attempts + 1, waitAfter(attempts));
      // The rest of a response holds a place of the sink, and not the note that the event was accepted.
      await released;
      if (next === null) return null;
      stream = next;
    }
    return events.length > 0 ? stream : queue.end(stream, stream.revision);
  }

  /** Does not reject. An event that its sink does not want counts as delivered. */
  private async send(name: string, event: StoredEvent): Promise<Delivery> {
    const { settings } = this.runtime;
    const sink = this.sinks.get(name);
    const type = eventType(settings.service, event);
    const fields = { event: event.id, type, sink: name };
    try {
      if (sink === undefined) return { ...DELIVERED, refusal: "There is no sink of this name." };
      if (!sink.wants(type)) return DELIVERED;
      const data = await this.dataOf(event);
      const delivery = data === null ? DELIVERED : await sink.send(event, this.textOf(event, data));
      if (delivery.refusal === null) this.failedInRow.delete(name);
      else this.warn(name, { reason: delivery.refusal, ...fields });
      return delivery;
    } catch (error) {
      this.warn(name, { err: error, ...fields });
      return { ...DELIVERED, refusal: reasonOf(error) };
    }
  }

  private warn(sink: string, fields: object): void {
    this.failedInRow.set(sink, (this.failedInRow.get(sink) ?? 0) + 1);
    this.runtime.logger.warn(fields, "an event was not delivered");
  }

  /** JSON; null where it is gone, which the event behind this one tells. */
  private async dataOf({ topic, entityId, kind, data }: StoredEvent): Promise<string | null> {
    const store = this.stores.get(topic);
    if (kind === "deleted") {
      return JSON.stringify({ [store?.table.idProperty ?? "id"]: entityId });
    }
    return data ?? (await store?.announcedView(topic, entityId)) ?? null;
  }

  private textOf(event: StoredEvent, data: string): string {
    const type = eventType(this.runtime.settings.service, event);
    return eventText({ source: this.parts.source, type, data }, event);
  }

  private giveUp(stream: Stream, event: StoredEvent, reason: string): Promise<Stream> {
    const { id: given, topic, entityId } = event;
    const fields = { event: given, topic, entityId, sink: stream.sink };
    this.runtime.logger.error(fields, "an event is given up, and kept in event_failures");
    return this.queue.giveUp(stream, event, reason);
  }
}

/** Longer each time, and never the same, so that what failed together does not come back together. */
function waitAfter(attempts: number): number {
  const most = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** attempts, LONGEST_WAIT_MILLISECONDS);
  return most * (0.5 + Math.random() / 2);
}

/** A text that both databases store, whatever custom code has thrown. */
function reasonOf(error: unknown): string {
  return loggedError(error).message.replace(/[\p{Cc}\p{Cs}]/gu, " ");
}
