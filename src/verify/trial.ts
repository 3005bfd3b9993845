import type { Operation, ResourceModel } from "../model/resource-model.js";
import { fullBody } from "./bodies.js";
import type { Caller } from "./caller.js";
import { CannotMake } from "./check.js";
import { relieve } from "./clean-up.js";
import {
  clipped,
  errorsOf,
  fieldsOf,
  isInvalid,
  NoAnswer,
  type Answer,
  type Exchange,
  type Sent,
} from "./exchange.js";
import {
  atPlace,
  difference,
  isEqual,
  isObject,
  type Json,
  type JsonObject,
} from "../samples/json.js";
import { led } from "./led.js";
import type { Session } from "./session.js";
import type { Failure } from "./verdict.js";

/** Thrown when a rule has failed so often that further checks are useless. */
export class Enough extends Error {
  override readonly name = "Enough";
}

/** Which resources a rule is tried on. */
export interface Wanted {
  /** Operations that must be offered, and allowed to somebody who calls. */
  readonly needs: readonly Operation[];
  readonly where?: (resource: ResourceModel) => boolean;
  /** It brings entities into the states that it needs; left out: new ones are changed. */
  readonly inAnyState?: boolean;
  /** Why the rule is skipped if no resource is of that kind: `no resource has states`. */
  readonly otherwise?: string;
}

/** The trial of one rule: requests, what is expected of the answers, and what came instead. */
export class Trial {
  readonly failures: Failure[];
  /** Reasons why something that the schema asks for could not be tried. */
  readonly obstacles: Set<string>;
  /** What was tried with its sample alone: `loans.days`. */
  readonly sampled: Set<string>;
  /** Reasons why there was nothing to be tried. */
  readonly absences: Set<string>;
  private readonly counts: { tried: number };
  private last: Exchange | null = null;

  /** Ends, with `Enough`, at so many failures. A part of another trial adds its findings to that one. */
  constructor(
    readonly session: Session,
    private readonly mostFailures: number,
    whole?: Trial,
  ) {
    this.failures = whole?.failures ?? [];
    this.obstacles = whole?.obstacles ?? new Set();
    this.sampled = whole?.sampled ?? new Set();
    this.absences = whole?.absences ?? new Set();
    this.counts = whole?.counts ?? { tried: 0 };
  }

  /** How many expectations there were. */
  get tried(): number {
    return this.counts.tried;
  }

  /** The part of this trial that the callers of another session try. */
  by(session: Session): Trial {
    return new Trial(session, this.mostFailures, this);
  }

  /** Tries a rule on every resource of a sort. */
  async each(
    { needs, where = () => true, otherwise = "no resource of that kind", inAnyState }: Wanted,
    attempt: (resource: ResourceModel) => Promise<void>,
  ): Promise<void> {
    const fitting = this.session.resources.filter(where);
    if (fitting.length === 0) this.absences.add(otherwise);
    for (const resource of fitting) {
      const missing = needs.find((operation) => !resource.operations.includes(operation));
      if (missing !== undefined) {
        this.absences.add(`${resource.name.plural} does not offer ${missing}`);
        continue;
      }
      const obstacle = (): string | null =>
        this.session.obstacle(resource, needs, { inAnyState: inAnyState === true });
      await this.attempt(async () => {
        if (this.session.isFew(resource)) await this.relieve(resource);
        if (this.session.isFew(resource) && obstacle() !== null) {
          this.session.lasting.clear();
          await this.relieve(resource);
        }
        if (obstacle() === null && resource.operations.includes("create")) {
          await this.prepare(resource);
        }
        // What a reference has to lead to may turn out not to be there.
        const found = obstacle();
        if (found === null) return attempt(resource);
        this.obstacles.add(found);
        this.tellRefused(resource);
      });
    }
  }

  private async relieve(resource: ResourceModel): Promise<void> {
    await relieve(this.session, resource);
    await this.session.readTaken(resource);
  }

  /** Makes what a resource refers to; why nothing may refer to it is told. */
  async prepare(resource: ResourceModel): Promise<void> {
    await this.session.prepare(resource);
    this.tellRefused(resource);
  }

  private tellRefused(resource: ResourceModel): void {
    for (const reason of this.session.anchors.refusedFor(resource)) this.obstacles.add(reason);
  }

  /** One part of a trial; if it breaks off, the next one continues. */
  async attempt(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (error instanceof CannotMake) this.obstacles.add(error.message);
      else if (error instanceof NoAnswer) {
        const { request, reason: got } = error;
        this.counts.tried += 1;
        this.remember({ request, expected: "an answer", got });
      } else throw error;
    }
  }

  /** Sends a request; the caller is given only where it matters. */
  async send(method: string, path: string, sent?: Sent, as?: Caller): Promise<Exchange> {
    this.last = await this.session.send(method, path, sent, as);
    return this.last;
  }

  /** The exchange before this: what made an entity. */
  get latest(): Exchange {
    if (this.last === null) throw new CannotMake("nothing was sent yet");
    return this.last;
  }

  /** POST to where entities of a resource are made: a child, under a parent of this run's. */
  async post(resource: ResourceModel, sent: Sent, as?: Caller): Promise<Exchange> {
    return this.send("POST", this.session.placeOf(resource), sent, as);
  }

  /** GET. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.send("GET", path, { headers });
  }

  /** A new entity with every property; throws `CannotMake`. */
  async make(resource: ResourceModel, changes: JsonObject = {}): Promise<JsonObject> {
    const body = { ...fullBody(resource, this.session.nextSeed()), ...changes };
    const exchange = await this.post(resource, { body });
    const { answer } = exchange;
    if (answer.status === 201 && isObject(answer.json)) return answer.json;
    this.session.noteRefused(exchange);
    // A failure of the service (5xx) always counts as one, whatever is tried.
    if (answer.status >= 500) this.status(exchange, 201);
    const { words, article } = resource.name;
    const reason = this.session.rightRefusal(exchange);
    throw new CannotMake(
      reason ?? `${article} ${words} could not be made (OPS-1): ${gist(answer)}`,
    );
  }

  /** A new entity that others can refer to, or belong to: in the state that samples give for that. Throws `CannotMake`. */
  async makeReferred(resource: ResourceModel, changes: JsonObject = {}): Promise<JsonObject> {
    return this.lead(resource, await this.make(resource, changes));
  }

  /** The same of an entity that there is. */
  async lead(resource: ResourceModel, entity: JsonObject): Promise<JsonObject> {
    const taken = await led(this.session, resource, entity);
    if ("entity" in taken) return taken.entity;
    throw new CannotMake(taken.reason);
  }

  /**
   * Says whether an answer is as it should be, and remembers it if not. Throws `CannotMake` where the service was right to
   * refuse values that another entity has.
   */
  expect(exchange: Exchange, isRight: boolean, expected: string, got?: string): boolean {
    const { request, answer } = exchange;
    const reason = isRight ? null : this.session.rightRefusal(exchange);
    if (reason !== null) throw new CannotMake(reason);
    this.counts.tried += 1;
    if (!isRight) this.remember({ request, expected, got: got ?? gist(answer) });
    return isRight;
  }

  /** Expects a status. */
  status(exchange: Exchange, status: number, note = ""): boolean {
    if (status < 300) this.session.noteRefused(exchange);
    return this.expect(exchange, exchange.answer.status === status, `${status}${note}`);
  }

  /** Expects a JSON object with a status; undefined if the answer is not one. */
  object(exchange: Exchange, status: number): JsonObject | undefined {
    const { json } = exchange.answer;
    this.session.noteRefused(exchange);
    const isRight = exchange.answer.status === status && isObject(json);
    this.expect(exchange, isRight, `${status} and a JSON object`);
    return isRight ? json : undefined;
  }

  /** Expects a refusal of one type, in the contract's form. */
  refusal(exchange: Exchange, status: number, type: string): boolean {
    const { answer } = exchange;
    const types = errorsOf(answer).map((element) => String(element["type"]));
    const isRight = answer.status === status && isEqual(types, [type]);
    return this.expect(exchange, isRight, `${status} ${type}`);
  }

  /** Expects a validation error that names exactly these fields, in any order. */
  fields(exchange: Exchange, ...wanted: readonly string[]): boolean {
    const { answer } = exchange;
    const isRight = isInvalid(answer) && isEqual(fieldsOf(answer).sort(), [...wanted].sort());
    return this.expect(
      exchange,
      isRight,
      `400 ValidationFailedMessage, with exactly these fields: ${wanted.join(", ")}`,
    );
  }

  /** Expects a value within an answer; of objects and lists, the place is told that differs. */
  value(exchange: Exchange, found: Json | undefined, wanted: Json, what: string): boolean {
    const place = difference(wanted, found) ?? difference(found, wanted) ?? "";
    const at = place === "" ? what : `${what}, at "${place}"`;
    const shown = (value: Json | undefined): string => {
      const inner = atPlace(value, place);
      return `${at}: ${inner === undefined ? "nothing" : clipped(JSON.stringify(inner), 200)}`;
    };
    return this.expect(exchange, isEqual(found, wanted), shown(wanted), shown(found));
  }

  /** Expects that an answer holds all that was sent. */
  holds(exchange: Exchange, sent: JsonObject, found: Json | undefined): boolean {
    const path = difference(sent, found);
    return this.expect(exchange, path === null, `the value that was sent at "${path ?? ""}"`);
  }

  private remember(failure: Failure): void {
    this.failures.push(failure);
    if (this.failures.length >= this.mostFailures) throw new Enough();
  }
}

/** An answer in a line or two. */
function gist(answer: Answer): string {
  const [error] = errorsOf(answer);
  if (error === undefined) return `${answer.status} ${clipped(answer.text, 300)}`.trim();
  const fields = fieldsOf(answer);
  const named = fields.length === 0 ? "" : `, fields: ${fields.join(", ")}`;
  const description = error["description"];
  const told = typeof description === "string" ? ` (${description})` : "";
  return `${answer.status} ${String(error["type"])}${told}${named}`;
}
