import { arenaTokens, issuerKey } from "../support/arena.js";
import { atMost, holds, told, type Attack } from "../support/attack.js";
import { badTokens, type BadToken } from "../support/bad-tokens.js";
import { requestText, WireConnection } from "../support/wire-connection.js";

/** Tokens that were signed by nobody, by a stranger, or for somebody else (S15). */
export const tokens: Attack = {
  name: "tokens",
  databases: ["sqlite"],
  async run(arena) {
    const service = await arena.start();
    const bad = await badTokens(await issuerKey());
    const others: string[] = [];
    let faults = 0;
    for (const token of bad) {
      const status = await statusOf(service.port, token);
      if (status >= 500) faults += 1;
      if (status !== 401) others.push(`${status} for ${token.what}`);
    }
    if (others.length > 0) process.stderr.write(`${others.join("\n")}\n`);
    const { clerk } = await arenaTokens();
    const accepted = { what: "good", authorization: `Bearer ${clerk}` };
    const good = await statusOf(service.port, accepted);
    return [
      told("tokens", String(bad.length)),
      atMost("answered with another status than 401", others.length, 0),
      atMost("answers of 5xx", faults, 0),
      holds("a good token is accepted", good === 200, String(good)),
    ];
  },
};

async function statusOf(port: number, { authorization }: BadToken): Promise<number> {
  const values = typeof authorization === "string" ? [authorization] : authorization;
  const headers = values.map((value) => `Authorization: ${value}`);
  const connection = new WireConnection(port);
  const path = "/api/v1/users";
  const text = requestText({ method: "GET", path, token: null, body: null, headers });
  const answer = await connection.ask(Buffer.from(text, "latin1"));
  connection.close();
  return answer?.status ?? 0;
}
