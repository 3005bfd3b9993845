import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSchema, schemaUrl } from "../../support/postgres-schema.js";
import { startPostgres, type PostgresServer } from "../../support/postgres-server.js";
import type { MixedResult, MixedSpec } from "../load/mixed-load.js";
import { arenaTokens, issuerKey } from "./arena.js";
import type { Database } from "./attack.js";
import { freePort } from "./free-port.js";
import { startLoad } from "./load-process.js";
import { MemoryTrend } from "./memory-trend.js";
import { pause, until } from "./pause.js";
import { ask } from "./ask.js";
import { startService, type RunningService } from "./running-service.js";
import { fillShop } from "./shop-entities.js";
import { writeKeys } from "./tokens.js";

/** What was restarted, when, and what the process before it had in memory. */
export interface Life {
  /** Minutes since the begin of the soak. */
  readonly until: number;
  readonly end: string;
  readonly peakMebibytes: number;
  /** By how much it grew after its warm-up. */
  readonly growthMebibytes: number;
}

/** All that a soak has seen. */
export interface SoakResult {
  readonly database: Database;
  readonly load: MixedResult;
  readonly lives: readonly Life[];
  /** Of the service, at the end of each minute, in MiB. */
  readonly memory: readonly number[];
}

const CONNECTIONS = 16;
const PAUSE_MILLISECONDS = 80;
const LIVES = 10;
const SHORTEST_LIFE = 20_000;
/** What is under way when something is restarted, and what follows from it. */
const SETTLE_MILLISECONDS = 1500;

/** Lets clients of all kinds use a service for some minutes while it, or its PostgreSQL, is restarted again and again. */
export async function soak(
  database: Database,
  { service, minutes }: { readonly service: string; readonly minutes: number },
): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const postgres = database === "postgres" ? await startPostgres() : null;
  const soaked = await SoakedService.start({ service, folder, postgres });
  try {
    return await soaked.run(database, minutes);
  } finally {
    await soaked.running.end("SIGKILL");
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly service: string;
  readonly folder: string;
  readonly postgres: PostgresServer | null;
}

class SoakedService {
  private readonly began = performance.now();
  private readonly lives: Life[] = [];
  private readonly memory: number[] = [];
  private trend: MemoryTrend;

  private constructor(
    private readonly place: Place,
    private readonly variables: Readonly<Record<string, string>>,
    public running: RunningService,
  ) {
    this.trend = new MemoryTrend(running.pid);
  }

  static async start(place: Place): Promise<SoakedService> {
    const { folder, postgres, service } = place;
    const url = postgres === null ? `sqlite:${join(folder, "shop.db")}` : schemaUrl(postgres.url);
    if (postgres !== null) await makeSchema(url);
    const keys = writeKeys(folder, [await issuerKey()]);
    // The clients know one port, and find the service there again.
    const variables = { DATABASE_URL: url, AUTH_KEYS: keys, PORT: String(await freePort()) };
    const running = await startService({ node: process.execPath, service, folder, variables });
    return new SoakedService(place, variables, running);
  }

  async run(database: Database, minutes: number): Promise<SoakResult> {
    const tokens = await arenaTokens();
    const { port } = this.running;
    const ids = await fillShop(port, tokens, 20);
    const rest = { connections: CONNECTIONS, pauseMilliseconds: PAUSE_MILLISECONDS, seed: 1 };
    const spec: MixedSpec = { port, tokens, ids, ...rest };
    const load = startLoad<MixedResult>("mixed-load", spec);
    const sampling = setInterval(() => this.memory.push(this.trend.last()), 60_000);
    const life = Math.max(SHORTEST_LIFE, (minutes * 60_000) / LIVES);
    const last = this.began + minutes * 60_000;
    const ways = this.restarts();
    for (let count = 0; performance.now() + life < last; count += 1) {
      await pause(life);
      const way = ways[count % ways.length] ?? "SIGTERM";
      load.tell("down");
      await this.restart(way);
      await pause(SETTLE_MILLISECONDS);
      load.tell("up");
    }
    await pause(Math.max(0, last - performance.now()));
    clearInterval(sampling);
    const result = await load.stop();
    this.endLife("the end");
    return { database, load: result, lives: this.lives, memory: this.memory };
  }

  private restarts(): readonly string[] {
    if (this.place.postgres === null) return ["SIGTERM", "kill -9"];
    return ["SIGTERM", "PostgreSQL stopped", "kill -9", "PostgreSQL crashed"];
  }

  private async restart(way: string): Promise<void> {
    const { postgres } = this.place;
    if (way === "SIGTERM" || way === "kill -9") {
      this.endLife(way);
      await this.running.end(way === "SIGTERM" ? "SIGTERM" : "SIGKILL");
      await this.startAgain();
      return;
    }
    await (way === "PostgreSQL stopped" ? postgres?.stop() : postgres?.crash());
    await pause(2000);
    await postgres?.start();
    const isReady = async (): Promise<boolean> =>
      (await ask(this.running.port, { path: "/readyz" })).status === 200;
    if (!(await until(isReady, 15_000))) throw new Error(`not ready again: ${way}`);
    const minutes = (performance.now() - this.began) / 60_000;
    this.lives.push({ until: minutes, end: way, peakMebibytes: NaN, growthMebibytes: NaN });
  }

  private async startAgain(): Promise<void> {
    const { folder, service } = this.place;
    const { variables } = this;
    this.running = await startService({ node: process.execPath, service, folder, variables });
    this.trend = new MemoryTrend(this.running.pid);
  }

  private endLife(end: string): void {
    this.trend.stop();
    this.lives.push({
      until: (performance.now() - this.began) / 60_000,
      end,
      peakMebibytes: this.trend.peak(),
      growthMebibytes: this.trend.growth(),
    });
  }
}
