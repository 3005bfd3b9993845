import type { KnownEntity, WritersResult } from "../load/writers.js";
import { getText } from "./probe.js";
import { WireConnection } from "./wire-connection.js";

/** What a restarted service has not kept of what it had answered. */
export interface Losses {
  /** Acknowledged, and not there as it was acknowledged. */
  readonly lost: readonly string[];
  /** Neither as it was before the write that was cut off, nor as it would be after it. */
  readonly torn: readonly string[];
  readonly looked: number;
}

type Entity = Readonly<Record<string, unknown>>;

const CONNECTIONS = 16;

/** Holds what the writers know against what a service answers now. */
export async function verifyWrites(
  { port, token }: { readonly port: number; readonly token: string },
  { entities, contested }: WritersResult,
): Promise<Losses> {
  const lost: string[] = [];
  const torn: string[] = [];
  const found = new Map<string, Entity | null>();
  const queue = entities.map(({ path }) => path);
  const emails = [...contested];
  const look = async (): Promise<void> => {
    const connection = new WireConnection(port);
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      found.set(path, await read(connection, path, token));
    }
    for (let one = emails.pop(); one !== undefined; one = emails.pop()) {
      const list = await read(connection, `users?email=${one.email}`, token);
      const count = Number(list?.["itemCount"]);
      // Whose creation was cut off may have the value as well as nobody.
      if (count > 1) torn.push(`${one.email} is there ${count} times`);
      if (count < one.accepted) lost.push(`${one.email} was accepted and is not there`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, look));
  // A deletion that was cut off may have been carried out, and then with the children.
  const cut = entities.filter(({ path, pending }) => pending === null && found.get(path) === null);
  const released = new Set(cut.flatMap(({ children }) => children));
  for (const entity of entities) {
    const now = found.get(entity.path) ?? null;
    const isKept = isAsAcknowledged(entity, now) || isAsPending(entity, now);
    const isReleased = now === null && released.has(entity.path);
    if (!isKept && !isReleased) {
      const list = entity.pending === undefined ? lost : torn;
      list.push(`${entity.path}: ${JSON.stringify(now)} instead of ${JSON.stringify(entity)}`);
    }
    const isHalf = now === null && entity.children.some((child) => found.get(child) !== null);
    if (isHalf) torn.push(`${entity.path} has gone without its children`);
  }
  return { lost, torn, looked: found.size };
}

function isAsAcknowledged({ acknowledged }: KnownEntity, now: Entity | null): boolean {
  return JSON.stringify(acknowledged) === JSON.stringify(now);
}

/** The write that was cut off was carried out, all of it. */
function isAsPending({ pending }: KnownEntity, now: Entity | null): boolean {
  if (pending === undefined) return false;
  if (pending === null || now === null) return pending === now;
  return Object.entries(pending).every(([name, value]) => isSame(now[name], value));
}

/** References are compared by their identifiers: an answer shows more of them. */
function isSame(now: unknown, sent: unknown): boolean {
  if (!Array.isArray(sent)) return now === sent;
  const ids = (list: readonly { readonly userId?: unknown }[]) =>
    JSON.stringify(list.map(({ userId }) => userId));
  return Array.isArray(now) && ids(now) === ids(sent);
}

async function read(
  connection: WireConnection,
  path: string,
  token: string,
): Promise<Entity | null> {
  const answer = await connection.ask(getText(`/api/v1/${path}`, token));
  if (answer?.status === 404) return null;
  if (answer?.status !== 200) throw new Error(`GET ${path} after a restart: ${answer?.status}`);
  // What a service answers with 200 is an object (REP-8).
  return JSON.parse(Buffer.from(answer.body, "latin1").toString("utf8")) as Entity;
}
