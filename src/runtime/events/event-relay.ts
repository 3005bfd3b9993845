/**
 * Events of entities (EVT-1). store/entity-events.ts writes them in the transaction of their change; here they are delivered.
 * Start with `EventRelay`, which takes events from event-queue.ts and gives them to the sinks of event-sinks.ts; webhooks.ts is
 * the sink that sends them to subscribers. Nothing here knows a resource: an entity is read through `announcedView`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { serviceCaller } from "../auth/authentication.js";
import { runCustom } from "../base/custom-code.js";
import { withTimeout } from "../base/background.js";
import { loggedError } from "../http/log.js";
import { JobContext, type RequestContext } from "../http/request.js";
import type { EventFailure, EventWork, ServiceRuntime } from "../http/settings.js";
import { StorageUnavailable } from "../store/database.js";
import {
  eventText,
  eventType,
  type CloudEvent,
  type StoredEvent,
  checkWebhooks,
  type EventSinks,
} from "./event-sinks.js";
import {
  EventQueue,
  LEASE_MILLISECONDS,
  PAGE,
  TakenByAnother,
  UNKNOWN_WEBHOOKS,
  type FailedEvent,
  type Stream,
} from "./event-queue.js";
import { WebhookSender, type Delivery } from "./webhooks.js";

/** The sink name of `deliver`. No webhook can have it. */
const OWN_CODE = "custom code";
/** Interval at which an idle service looks for events, with two queries. */
const POLL_MILLISECONDS = 1000;
const SINKS_MILLISECONDS = 5000;
const SWEEP_MILLISECONDS = 3_600_000;
const OWN_CODE_MILLISECONDS = 15_000;
/** Maximum of concurrent streams per sink, so that a slow sink does not delay the others. */
const STREAMS_OF_SINK = 20;
/** Maximum per look for a sink whose last deliveries have all failed. */
const STREAMS_OF_DOWN = 4;
/** Longer than a healthy receiver takes, and short enough to stop within five seconds. */
const STOP_MILLISECONDS = 3000;

const FIRST_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 2 * 3_600_000;
/** An event is given up after these attempts, which take about a day. */
const MOST_ATTEMPTS = 27;

/** The store of a resource with events. */
interface AnnouncingStore {
  readonly table: { readonly idProperty: string; readonly hasTenant?: boolean };
  readonly announced: readonly { readonly topic: string; readonly kinds: readonly string[] }[];
  announcedView(topic: string, id: string): Promise<string | null>;
}

/** The events of a service and their sinks. */
interface EventParts<OwnContext> {
  /** `/shop` */
  readonly source: string;
  /** The resources of the service. Resources without events are ignored. */
  readonly entities: Readonly<Record<string, { readonly store: AnnouncingStore }>>;
  readonly sinks: EventSinks<CloudEvent, OwnContext>;
  readonly contextOf: (request: RequestContext) => OwnContext;
}

/** AUT-4: the tenant of an event, undefined for one of an entity that all tenants share. Null if it is not known. */
type Tenant = string | null | undefined;

/** A receiver of events. */
interface Sink {
  readonly wants: (type: string, tenant: Tenant) => boolean;
  /** Throws if an event could not be delivered. */
  readonly send: (event: StoredEvent, text: string) => Promise<Delivery>;
}

const DELIVERED: Delivery = { refusal: null, released: Promise.resolve() };

/**
 * Delivers events at least once, in order for each entity (EVT-1). Several processes can poll the database and lease streams.
 */
export class EventRelay<OwnContext> implements EventWork {
  private readonly queue: EventQueue;
  private readonly stores: ReadonlyMap<string, AnnouncingStore>;
  /** All event types of the service, which webhooks can select. */
  private readonly types: readonly string[];
  private readonly sender = new WebhookSender();
  private sinks: ReadonlyMap<string, Sink>;
  /** True once `webhooks` of the sinks has returned. */
  private knowsWebhooks: boolean;
  private isReading = false;
  private hasReadFailed = false;
  private readonly underWay = new Map<string, Set<Promise<void>>>();
  /** Number of deliveries that have failed in a row. */
  private readonly failedInRow = new Map<string, number>();
  /** Sinks for which streams are being taken. */
  private readonly taking = new Set<string>();
  /** Mistakes in the webhooks at the last read. Each is logged once. */
  private mistakes: readonly string[] = [];
  private sinksAt = -Infinity;
  private sweptAt = -Infinity;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly runtime: ServiceRuntime,
    private readonly parts: EventParts<OwnContext>,
  ) {
    const stores = Object.values(parts.entities)
      .map(({ store }) => store)
      .filter(({ announced }) => announced.length > 0);
    const hasTenants = stores.some(({ table }) => table.hasTenant === true);
    this.queue = new EventQueue(runtime.database, runtime.newIdentifier, hasTenants);
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

  /** Stops new deliveries, and waits a limited time for the current ones. Other processes continue. */
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
    // The relay knows the webhooks already, but a command does not.
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
        // The database logs its own failures, and no event is lost.
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
      // Slow custom code does not delay deliveries.
      await withTimeout(this.refreshWebhooks(), POLL_MILLISECONDS).catch(() => undefined);
    }
    const hasWebhooks = this.parts.sinks.webhooks !== undefined;
    if (hasWebhooks && this.knowsWebhooks) await this.queue.assignUnknown(this.webhookNames());
    // Without a known sink, events stay unassigned.
    const isAssigning = this.knowsWebhooks || this.sinks.size > 0;
    while (isAssigning && !this.isStopping && (await this.assignSome()));
    for (const name of this.sinks.keys()) if (!this.isStopping) await this.takeFor(name);
    if (now - this.sweptAt < SWEEP_MILLISECONDS) return;
    this.sweptAt = now;
    await this.queue.forgetOld([...this.sinks.keys(), UNKNOWN_WEBHOOKS]);
    while (!this.isStopping && (await this.queue.sweep()));
  }

  private assignSome(): Promise<boolean> {
    // A snapshot, because the webhooks can become known while the events are read.
    const { sinks, knowsWebhooks } = this;
    const wanting = (event: Pick<StoredEvent, "topic" | "kind" | "tenant">): string[] => {
      const type = eventType(this.runtime.settings.service, event);
      const tenant = this.tenantOf(event);
      const known = [...sinks].flatMap(([name, { wants }]) => (wants(type, tenant) ? [name] : []));
      return knowsWebhooks ? known : [...known, UNKNOWN_WEBHOOKS];
    };
    return this.queue.assign(wanting, knowsWebhooks);
  }

  private tenantOf({ topic, tenant }: Pick<StoredEvent, "topic" | "tenant">): Tenant {
    // Null for an event that was written before the entity had a tenant: no webhook gets it.
    return this.stores.get(topic)?.table.hasTenant === true ? tenant : undefined;
  }

  private webhookNames(): string[] {
    return [...this.sinks.keys()].filter((name) => name !== OWN_CODE);
  }

  private ownSink(): Map<string, Sink> {
    const sink = {
      wants: () => true,
      send: (event: StoredEvent, text: string) => this.callOwnCode(text, event.tenant),
    };
    return new Map(this.parts.sinks.deliver === undefined ? [] : [[OWN_CODE, sink]]);
  }

  /** Reads the webhooks. Keeps the last ones if that fails. Does not reject. */
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
        wants: (type, tenant) =>
          typeof webhook === "string" ||
          ((tenant === undefined || tenant === webhook.tenant) &&
            (webhook.types?.includes(type) ?? true)),
        send: async ({ id }, text) => {
          if (typeof webhook === "string") return { ...DELIVERED, refusal: webhook };
          return this.sender.send(webhook, id, text);
        },
      });
    }
    this.sinks = found;
    this.knowsWebhooks = true;
  }

  private async callOwnCode(text: string, tenant: string | null): Promise<Delivery> {
    const { sinks } = this.parts;
    const event = JSON.parse(text) as CloudEvent;
    const work = runCustom("deliver of events", async () =>
      sinks.deliver?.(event, this.context(tenant)),
    );
    await withTimeout(work, OWN_CODE_MILLISECONDS);
    return DELIVERED;
  }

  /** Returns a context without access restrictions, for the service itself. */
  private context(tenant: string | null = null): OwnContext {
    const { newIdentifier, settings } = this.runtime;
    const anyone = serviceCaller(settings.service);
    const caller = tenant === null ? anyone : { ...anyone, tenant };
    return this.parts.contextOf(new JobContext(newIdentifier(), caller, this.runtime));
  }

  /** Takes streams for a sink up to its maximum, with one query for many. A failing sink gets only a few. */
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
        // Takes more streams at once, except for a failing sink, which waits for the next look.
        if (!this.isStopping && !this.isDown(name)) void this.takeFor(name).catch(() => undefined);
      });
      underWay.add(work);
    }
  }

  private isDown(name: string): boolean {
    return (this.failedInRow.get(name) ?? 0) >= STREAMS_OF_SINK;
  }

  /** Delivers the events of a stream until its time is over. Does not reject. */
  private async deliver(taken: Stream): Promise<void> {
    // Early enough that a delivery in progress ends before the lease.
    const until = this.runtime.elapsed() + LEASE_MILLISECONDS / 3;
    try {
      let stream: Stream | null = taken;
      while (stream !== null) stream = await this.deliverSome(stream, until);
    } catch (error) {
      // The lease expires, and another process continues.
      if (error instanceof TakenByAnother || error instanceof StorageUnavailable) return;
      this.runtime.logger.error({ err: error }, "events could not be delivered");
    }
  }

  /** Delivers a page of events. Returns the advanced stream, or null if it has ended or is released. */
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
      // The rest of a response occupies a slot of the sink, but does not delay the record of the delivery.
      await released;
      if (next === null) return null;
      stream = next;
    }
    return events.length > 0 ? stream : queue.end(stream, stream.revision);
  }

  /** Sends an event. Does not reject. An unwanted event counts as delivered. */
  private async send(name: string, event: StoredEvent): Promise<Delivery> {
    const { settings } = this.runtime;
    const sink = this.sinks.get(name);
    const type = eventType(settings.service, event);
    const fields = { event: event.id, type, sink: name };
    try {
      if (sink === undefined) return { ...DELIVERED, refusal: "There is no sink of this name." };
      if (!sink.wants(type, this.tenantOf(event))) return DELIVERED;
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

  /** Returns the data as JSON, or null if the entity is gone, which a later event announces. */
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

/** Returns a delay that grows with each attempt. It is random, so that retries spread out. */
function waitAfter(attempts: number): number {
  const most = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** attempts, LONGEST_WAIT_MILLISECONDS);
  return most * (0.5 + Math.random() / 2);
}

/** Returns a string that both databases can store, for any thrown value. */
function reasonOf(error: unknown): string {
  return loggedError(error).message.replace(/[\p{Cc}\p{Cs}]/gu, " ");
}
