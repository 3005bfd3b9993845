import type { Server } from "node:http";
import { Server as SocketServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

import type { Connections } from "./connections.js";

/** A client that has a connection open may send on it for so long before it is told that nothing more is answered. */
const GRACE_MILLISECONDS = 500;
/** How long a client has to close a connection that has been ended. */
const LINGER_MILLISECONDS = 1000;
const CHECK_MILLISECONDS = 20;
/** A turn that takes longer is not quiet; under load none is. */
const QUIET_MILLISECONDS = 1;
const PATIENCE_MILLISECONDS = 100;
/** Connections wait to be accepted, of which there is one a turn. */
const MOST_MILLISECONDS = 4000;

/** Stops a server: answers what has been sent to it, and tells its clients to go elsewhere. */
export async function drain(server: Server, connections: Connections): Promise<void> {
  // First, so that whoever is told to go finds no door to come back through.
  await stopListening(server, connections);
  connections.finishUp();
  const began = Date.now();
  let ended = false;
  while (connections.count > 0) {
    await pause(CHECK_MILLISECONDS);
    const elapsed = Date.now() - began;
    if (elapsed < GRACE_MILLISECONDS) continue;
    if (!ended) await quietTurn(connections);
    ended = true;
    const isOver = elapsed >= GRACE_MILLISECONDS + LINGER_MILLISECONDS;
    for (const connection of connections.all) {
      if (!connection.isIdle) continue;
      if (isOver) connection.destroy();
      else connection.end();
    }
  }
}

/** What the operating system has accepted for the service is served. The server's own `close` would also cut connections that are kept, on which a request may be on its way. */
async function stopListening(server: Server, connections: Connections): Promise<void> {
  await quietTurn(connections);
  if (server.listening) SocketServer.prototype.close.call(server);
}

/**
 * Resolves in a turn of the event loop in which hardly anything can have arrived that it has not seen: one that began a
 * moment ago, under load any in which nobody came, and after a while any at all.
 */
async function quietTurn(connections: Connections): Promise<void> {
  // The rest of this turn sees nothing new.
  await nextTurn();
  const began = performance.now();
  let turn = began;
  for (;;) {
    const { accepted } = connections;
    await nextTurn();
    const now = performance.now();
    const patience = connections.accepted === accepted ? PATIENCE_MILLISECONDS : MOST_MILLISECONDS;
    const isQuiet = now - turn < QUIET_MILLISECONDS && connections.accepted === accepted;
    if (isQuiet || now - began > patience) return;
    turn = now;
  }
}
