import { newFee, newMethod, uniqueName } from "../support/shop-entities.js";
import { requestText, WireConnection } from "../support/wire-connection.js";
import { serve } from "./serve.js";

/** Clients that write, and kill the service in the middle of that. */
export interface WritersSpec {
  readonly port: number;
  /** The process of the service. */
  readonly pid: number;
  /** After how many writes have been acknowledged it is killed. */
  readonly killAfter: number;
  readonly token: string;
  readonly writers: number;
}

/** What is known of an entity: what was answered last, and what was asked for without an answer. */
export interface KnownEntity {
  readonly path: string;
  /** Null: it was deleted. */
  readonly acknowledged: object | null;
  /** Undefined: nothing; null: a deletion. */
  readonly pending?: object | null;
  /** Its children go with it. */
  readonly children: readonly string[];
}

/** What the writers know. */
export interface WritersResult {
  /** Writes that were answered with success. */
  readonly acknowledged: number;
  readonly entities: readonly KnownEntity[];
  /** A value that only one entity may have, and how many were told that theirs has it. */
  readonly contested: readonly { readonly email: string; readonly accepted: number }[];
  /** Writes that were answered with 503. */
  readonly busy: number;
  /** Answers that a write may not have. */
  readonly unexpected: readonly string[];
}

type Entity = Readonly<Record<string, unknown>>;

/** A write that changes or deletes an entity. */
interface Change {
  readonly method: string;
  readonly path: string;
  /** Null: a deletion. */
  readonly body: object | null;
  /** Its children, where they go with it. */
  readonly children?: readonly string[];
}

/** The connection broke: the service was killed. */
class Gone extends Error {}

/** The service has no time for a write, which it says with 503; the entities of that round are left alone. */
class Busy extends Error {}

serve(async (spec: WritersSpec): Promise<WritersResult> => {
  const run = new Run(spec);
  await Promise.all(Array.from({ length: spec.writers }, () => run.write()));
  return run.result();
});

class Run {
  private readonly entities = new Map<string, KnownEntity>();
  private readonly contested = new Map<string, number>();
  private readonly unexpected: string[] = [];
  private acknowledged = 0;
  private busy = 0;

  constructor(private readonly spec: WritersSpec) {}

  /** One client, its own entities one after the other. */
  async write(): Promise<void> {
    const connection = new WireConnection(this.spec.port);
    try {
      for (let round = 0; ; round += 1) await this.roundUnlessBusy(connection, round);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
    connection.close();
  }

  private async roundUnlessBusy(connection: WireConnection, round: number): Promise<void> {
    try {
      await this.round(connection, round);
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      this.busy += 1;
    }
  }

  private async round(connection: WireConnection, round: number): Promise<void> {
    const email = `w-${uniqueName()}@example.com`;
    const user = await this.create(connection, "users", { firstName: "Front", email });
    const other = await this.create(connection, "users", {
      firstName: "Back",
      email: `o-${email}`,
    });
    const [userId, otherId] = [user["userId"], other["userId"]];
    const methods = `users/${String(otherId)}/communicationmethods`;
    const children = [await this.create(connection, methods, newMethod())];
    children.push(await this.create(connection, methods, newMethod()));
    const ticket = await this.create(connection, "tickets", ticketOf(0, userId, [userId, otherId]));
    const path = `tickets/${String(ticket["ticketId"])}`;
    for (let change = 1; change <= 5; change += 1) {
      // What links it to others stands in another table, and changes in the same unit as its texts.
      const { title, body, watchers } = ticketOf(
        change,
        userId,
        change % 2 === 0 ? [userId, otherId] : [userId],
      );
      await this.change(connection, { method: "PATCH", path, body: { title, body, watchers } });
    }
    if (round % 3 === 0) await this.change(connection, { method: "DELETE", path, body: null });
    await this.change(connection, { method: "PATCH", path, body: { watchers: [{ userId }] } });
    const ids = children.map(
      (child) => `communicationmethods/${String(child["communicationMethodId"])}`,
    );
    if (round % 2 === 0)
      await this.change(connection, {
        method: "DELETE",
        path: `users/${String(otherId)}`,
        body: null,
        children: ids,
      });
    await this.contest(connection, `c-${round}-${process.pid}@example.com`);
    await this.create(connection, "shippingfees", newFee());
  }

  /** All writers want the same value at about the same time. */
  private async contest(connection: WireConnection, email: string): Promise<void> {
    if (!this.contested.has(email)) this.contested.set(email, 0);
    const { status } = await this.ask(connection, "POST", "users", { firstName: "First", email });
    if (status === 201) this.contested.set(email, (this.contested.get(email) ?? 0) + 1);
    else if (status !== 409) this.unexpected.push(`POST of a contested value: ${status}`);
  }

  private async create(connection: WireConnection, path: string, body: object): Promise<Entity> {
    const answer = await this.ask(connection, "POST", path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status}`);
    const entity = entityOf(answer.body);
    const resource = path.split("/").at(-1) ?? "";
    const key = `${resource}/${String(Object.values(entity)[0])}`;
    this.acknowledge();
    this.entities.set(key, { path: key, acknowledged: entity, children: [] });
    return entity;
  }

  private async change(connection: WireConnection, change: Change): Promise<void> {
    const { method, path, body, children = [] } = change;
    const known = this.entities.get(path);
    if (known === undefined) throw new Error(`${path} was never created`);
    this.entities.set(path, { ...known, pending: body, children });
    const answer = await this.ask(connection, method, path, body);
    const isGone = known.acknowledged === null;
    const expected = isGone ? 404 : body === null ? 204 : 200;
    if (answer.status !== expected) this.unexpected.push(`${method} ${path}: ${answer.status}`);
    const acknowledged = isGone || body === null ? null : entityOf(answer.body);
    if (!isGone) this.acknowledge();
    this.entities.set(path, { path, acknowledged, children });
    for (const child of acknowledged === null ? children : []) {
      this.entities.set(child, { path: child, acknowledged: null, children: [] });
    }
  }

  private acknowledge(): void {
    this.acknowledged += 1;
    if (this.acknowledged === this.spec.killAfter) process.kill(this.spec.pid, "SIGKILL");
  }

  private async ask(connection: WireConnection, method: string, path: string, body: object | null) {
    const { token } = this.spec;
    const text = body === null ? null : JSON.stringify(body);
    const answer = await connection.ask(
      requestText({ method, path: `/api/v1/${path}`, token, body: text }),
    );
    if (answer === null) throw new Gone();
    if (answer.status === 503) throw new Busy();
    return answer;
  }

  result(): WritersResult {
    const contested = [...this.contested].map(([email, accepted]) => ({ email, accepted }));
    const { acknowledged, busy, unexpected } = this;
    return { acknowledged, busy, entities: [...this.entities.values()], contested, unexpected };
  }
}

/** A ticket whose texts and links all tell the same number. */
function ticketOf(number: number, requester: unknown, watchers: readonly unknown[]) {
  return {
    title: `Ticket in state ${number}`,
    body: `state ${number}`,
    requester: { userId: requester },
    watchers: watchers.map((userId) => ({ userId })),
  };
}

function entityOf(body: string): Entity {
  // Successful answers of the shop are entities; bytes of UTF-8, one character each.
  return JSON.parse(Buffer.from(body, "latin1").toString("utf8")) as Entity;
}
