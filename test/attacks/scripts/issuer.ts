import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ask } from "../support/ask.js";
import { arenaTokens, issuerKey } from "../support/arena.js";
import { atMost, holds, told, type Arena, type Attack, type Finding } from "../support/attack.js";
import { pause } from "../support/pause.js";
import { bystander } from "../support/probe.js";
import { newKey, tokenOf } from "../support/tokens.js";

const FORGED = 100;
const REQUESTS = 50;

/** The issuer of the keys is down or slow, and tokens come whose keys nobody knows. */
export const issuer: Attack = {
  name: "issuer",
  databases: ["sqlite"],
  async run(arena) {
    const server = await keyServer();
    try {
      return await attackKeys(arena, server);
    } finally {
      server.close();
    }
  },
};

async function attackKeys(arena: Arena, server: KeyServer): Promise<readonly Finding[]> {
  const clock = new URL("../support/shifted-clock.js", import.meta.url).href;
  const service = await arena.start({
    variables: { AUTH_KEYS: server.url, NODE_OPTIONS: `--import=${clock}` },
  });
  const key = await issuerKey();
  const { clerk } = await arenaTokens();
  const read = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await ask(service.port, { path: "/api/v1/merchants", headers })).status;
  };
  const first = await read(clerk);
  // Tokens that nobody has shown before, so that each has to be verified.
  const fresh = () =>
    Promise.all(
      Array.from({ length: REQUESTS }, (_, index) => tokenOf(key, `customer-${index}`, [])),
    );
  server.state.isDown = true;
  service.child.kill("SIGWINCH");
  await pause(200);
  const before = server.state.asked;
  const statuses = await Promise.all((await fresh()).map(read));
  const fetches = server.state.asked - before;
  const refused = statuses.filter((status) => status !== 200).length;
  // It accepts connections and never answers.
  server.state.isDown = false;
  server.state.isSilent = true;
  const began = server.state.asked;
  const probe = bystander(service.port, clerk, ["/api/v1/merchants"]);
  const stranger = await newKey("x");
  const forged = Array.from({ length: FORGED }, (_, index) => forgedStatus(index));
  async function forgedStatus(
    index: number,
  ): Promise<readonly [status: number, milliseconds: number]> {
    const token = await tokenOf(stranger, "clerk-1", ["clerk"], {
      header: { kid: `kid-${index}` },
    });
    const from = performance.now();
    return [await read(token), performance.now() - from];
  }
  const answers = await Promise.all(forged);
  const felt = await probe.stop();
  const others = answers.filter(([status]) => status !== 401).length;
  return [
    holds("a good token is accepted", first === 200, String(first)),
    atMost(
      `the issuer has been down for 11 minutes: valid tokens refused, of ${REQUESTS}`,
      refused,
      0,
    ),
    told("  keys fetched meanwhile", String(fetches)),
    atMost(`the issuer is silent: forged tokens not answered with 401, of ${FORGED}`, others, 0),
    atMost("  keys fetched meanwhile", server.state.asked - began, 1),
    atMost(
      "  longest wait of a forged token",
      Math.max(...answers.map(([, time]) => time)),
      1000,
      " ms",
    ),
    atMost("  others' p99", felt.p99, 200, " ms"),
  ];
}

/** See `keyServer`. */
interface KeyServer {
  readonly url: string;
  readonly state: { isDown: boolean; isSilent: boolean; readonly asked: number };
  readonly close: () => void;
}

/** An issuer that hands out its keys, unless it is down or silent. */
async function keyServer(): Promise<KeyServer> {
  const state = { isDown: false, isSilent: false, asked: 0 };
  const { jwk } = await issuerKey();
  const server = createServer((_request, response) => {
    state.asked += 1;
    if (state.isSilent) return;
    response.writeHead(state.isDown ? 503 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on a port, never on a socket file.
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/jwks.json`, state, close };
}
