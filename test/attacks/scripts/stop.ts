import { arenaTokens } from "../support/arena.js";
import { atLeast, atMost, told, type Attack } from "../support/attack.js";
import { pause } from "../support/pause.js";
import { getText, httpLoad } from "../support/probe.js";
import { fillShop, newUser } from "../support/shop-entities.js";
import { requestText } from "../support/wire-connection.js";

const CONNECTIONS = 50;
/** What a connection that is refused waits for is not part of this. */
const LOAD_SECONDS = 60;
const STOP_MILLISECONDS = 10_000;

/** SIGTERM under load: what was sent before it is answered, and the exit code is 0 (S18). */
export const stop: Attack = {
  name: "stop",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const stops = arena.bySize({ short: 3, usual: 50, long: 200 });
    const { clerk, customer } = await arenaTokens();
    let failed = 0;
    let later = 0;
    let answered = 0;
    let refused = 0;
    const times: number[] = [];
    for (let count = 0; count < stops; count += 1) {
      const service = await arena.start();
      const { users } = await fillShop(service.port, { clerk, customer }, 2);
      const post = { method: "POST", path: "/api/v1/users", token: clerk };
      const creations = Array.from({ length: 2000 }, () =>
        requestText({ ...post, body: JSON.stringify(newUser()) }),
      );
      const reads = [
        getText("/api/v1/users?pageSize=50", clerk),
        getText(`/api/v1/users/${users[0]}`, clerk),
      ];
      const requests = creations.flatMap((creation) => [creation, ...reads]);
      const load = httpLoad(service.port, requests, {
        connections: CONNECTIONS,
        seconds: LOAD_SECONDS,
      });
      await pause(700 + (count % 10) * 30);
      load.tell(String(performance.timeOrigin + performance.now()));
      const end = await service.end("SIGTERM");
      const result = await load.stop();
      failed += result.brokenBeforeMark;
      later += result.resetAfterMark;
      answered += result.answered;
      times.push(end.milliseconds);
      if (end.code !== 0) refused += 1;
    }
    return [
      told("stops", String(stops)),
      atLeast("requests answered", answered, stops * 100),
      atMost("sent before the signal and not answered", failed, 0),
      told("sent after it and reset", String(later)),
      atMost("exit codes other than 0", refused, 0),
      atMost("slowest stop", Math.max(...times), STOP_MILLISECONDS, " ms"),
    ];
  },
};
