import { Client } from "pg";
import { connectSqlite } from "#runtime/store/sqlite/module";
import { arenaTokens } from "../support/arena.js";
import { atMost, holds, told, type Arena, type Attack } from "../support/attack.js";
import { pause } from "../support/pause.js";
import { bystander, getText, httpLoad } from "../support/probe.js";
import { fillShop, newUser } from "../support/shop-entities.js";
import { requestText } from "../support/wire-connection.js";

/** By when a write, or a read of a locked table, is answered somehow. */
const PATIENCE_MILLISECONDS = 12_000;

/** Another process locks the database (SQLite) or a table (PostgreSQL): who does not need that is not harmed. */
export const locked: Attack = {
  name: "locked",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start();
    const tokens = await arenaTokens();
    const { merchants } = await fillShop(service.port, tokens);
    const milliseconds = arena.bySize({ short: 3000, usual: 15_000, long: 77_000 });
    const unlock = await lock(arena);
    const probe = bystander(service.port, tokens.clerk, [`/api/v1/merchants/${merchants[0]}`]);
    const path = "/api/v1/users";
    const writes = Array.from({ length: 5000 }, () =>
      requestText({ method: "POST", path, token: tokens.clerk, body: JSON.stringify(newUser()) }),
    );
    const reads = [getText(path, tokens.clerk)];
    const asked = arena.database === "sqlite" ? writes : reads;
    const load = httpLoad(service.port, asked, { connections: 20, pauseMilliseconds: 20 });
    await pause(milliseconds);
    const felt = await probe.stop();
    await unlock();
    await pause(500);
    const after = bystander(service.port, tokens.clerk, [path]);
    await pause(1000);
    const [normal, blocked] = await Promise.all([after.stop(), load.stop()]);
    const isUnharmed = Object.keys(felt.statuses).join() === "200" && felt.broken === 0;
    const isExpected = Object.keys(blocked.statuses).every((status) =>
      ["200", "201", "503", "504"].includes(status),
    );
    const statuses = `${JSON.stringify(blocked.statuses)}, ${blocked.broken} broken`;
    return [
      told("locked for", `${milliseconds / 1000} s`),
      atMost("another's read, p99", felt.p99, 200, " ms"),
      holds(
        "other reads are answered with 200",
        isUnharmed,
        `${felt.answered} answered, ${JSON.stringify(felt.statuses)}`,
      ),
      atMost("longest wait of who needs the lock", blocked.most, PATIENCE_MILLISECONDS, " ms"),
      holds("they are answered, or told 503", isExpected && blocked.broken === 0, statuses),
      atMost("503 without Retry-After", blocked.withoutRetryAfter, 0),
      atMost("p99 after it", normal.p99, 200, " ms"),
    ];
  },
};

/** As another process would: this one has a connection of its own. */
async function lock({ database, databaseUrl }: Arena): Promise<() => Promise<void>> {
  if (database === "sqlite") {
    const other = await connectSqlite(databaseUrl.replace(/^sqlite:/, ""));
    other.exec("BEGIN IMMEDIATE");
    return async () => {
      other.exec("ROLLBACK");
      other.close();
    };
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE "users" IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query("ROLLBACK");
    await client.end();
  };
}
