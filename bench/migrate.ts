// What a migration costs those who are served meanwhile: `npm run bench:migrate -- [rows]`. A million orders on
// PostgreSQL, read and written by 16 clients through the older release, while the newer one adds a property, renames
// one, changes a scale and makes another one unique.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { listeningIn } from "../test/support/listening.js";
import { SERVICES } from "../test/support/service-folders.js";
import { query } from "../test/support/postgres-schema.js";
import { startPostgres } from "../test/support/postgres-server.js";
import { compiledRuntime } from "../test/support/runtime.js";
import { foundIn, inTime } from "./support/in-time.js";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const CLIENTS = 16;
const QUIET_MILLISECONDS = 10_000;

const PROPERTIES = {
  older: {
    number: "{ type: string, required: true, maxLength: 40 }",
    price: "{ type: decimal, scale: 2, filterable: true }",
    fax: "{ type: string, maxLength: 40, filterable: true }",
  },
  newer: {
    number: "{ type: string, required: true, maxLength: 40, unique: true }",
    price: "{ type: decimal, scale: 3, filterable: true }",
    phone: "{ type: string, maxLength: 40, filterable: true, renamedFrom: fax }",
    color: "{ type: string }",
  },
} as const;

const MAIN = `import { startService } from "${compiledRuntime("service/start")}";
import { registry } from "./src/generated/app.js";
await startService(registry, { environment: process.env });
`;
const MIGRATE = `import { migrate } from "${compiledRuntime("service/migrate")}";
import { registry } from "./src/generated/app.js";
await migrate(registry, process.argv.slice(2), process.env);
`;

type Release = keyof typeof PROPERTIES;

// Inside the repository, so that the packages are found.
const root = join(SERVICES, "migrated");

/** Generates the older release, and from it the newer one with its migration. */
function generateReleases(): void {
  rmSync(root, { recursive: true, force: true });
  generate("older");
  cpSync(join(root, "older"), join(root, "newer"), { recursive: true });
  generate("newer");
}

function generate(release: Release): void {
  const folder = join(root, release);
  mkdirSync(join(folder, "resources/v1"), { recursive: true });
  const lines = Object.entries(PROPERTIES[release]).map(([name, type]) => `  ${name}: ${type}`);
  const orders = `resource: orders\nentity: order\nproperties:\n${lines.join("\n")}\n`;
  writeFileSync(join(folder, "service.yaml"), "service: store\n");
  writeFileSync(join(folder, "resources/v1/orders.yaml"), orders);
  execFileSync(process.execPath, [resolve("bin/generator.js"), "generate"], { cwd: folder });
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  writeFileSync(join(folder, "main.ts"), MAIN);
  writeFileSync(join(folder, "migrate.ts"), MIGRATE);
}

interface RunningRelease {
  readonly port: number;
  readonly child: ChildProcess;
}

async function startRelease(release: Release, url: string): Promise<RunningRelease> {
  const child = run(release, "main.ts", [], { DATABASE_URL: url, PORT: "0" });
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (written += chunk.toString()));
  const { port } = await foundIn(child, () => written, listeningIn);
  return { port, child };
}

function run(
  release: Release,
  program: string,
  flags: readonly string[],
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  const parameters = ["--import", import.meta.resolve("tsx"), program, ...flags];
  const env = { ...process.env, ...variables };
  return spawn(process.execPath, parameters, { cwd: join(root, release), env });
}

/** Milliseconds that the command took; prints what it prints. */
async function migrate(url: string, ...flags: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = run("newer", "migrate.ts", flags, { DATABASE_URL: url });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`migrate ${flags.join(" ")} ended with ${code}`);
  return performance.now() - started;
}

async function fill(url: string): Promise<void> {
  await query(
    url,
    `INSERT INTO "orders" ("orderId", "number", "price", "fax", created_date, created_subject_id, created_user_principal_name,
       last_modified_date, last_modified_subject_id, last_modified_user_principal_name, row_revision)
     SELECT lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000', 'number ' || n, n % 100000, 'fax ' || n,
       '2026-01-01T00:00:00.000Z', 's', 's', '2026-01-01T00:00:00.000Z', 's', 's', 1
     FROM generate_series(1, ${ROWS}) AS n`,
  );
  await query(url, "ANALYZE");
}

/** What clients met in one phase. */
interface Phase {
  readonly name: string;
  readonly milliseconds: number[];
  readonly failures: Map<string, number>;
}

/** Clients that send one request after the other, and count what they meet. */
class Load {
  phase: Phase = newPhase("start");
  private isOver = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  private readonly clients: Promise<void>[];

  constructor(
    private readonly port: number,
    /** What the release calls it. */
    private readonly fax: "fax" | "phone" = "fax",
  ) {
    this.clients = Array.from({ length: CLIENTS }, (_, client) => this.client(client));
  }

  begin(name: string): Phase {
    this.phase = newPhase(name);
    return this.phase;
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async client(client: number): Promise<void> {
    for (let turn = 0; !this.isOver; turn += 1) {
      const { phase } = this;
      const started = performance.now();
      const outcome = await this.one(client, turn).catch((error: unknown) => String(error));
      phase.milliseconds.push(performance.now() - started);
      if (/^20[0-4]$/.test(outcome)) continue;
      phase.failures.set(outcome, (phase.failures.get(outcome) ?? 0) + 1);
    }
  }

  private one(client: number, turn: number): Promise<string> {
    const number = 1 + Math.floor(Math.random() * ROWS);
    const id = `${number.toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`;
    switch (turn % 8) {
      case 0:
        return this.send("POST", "", { number: `${client} ${turn} ${Date.now()}`, price: "12.50" });
      case 1:
      case 2:
        return this.send("PATCH", `/${id}`, {
          price: `${turn % 1000}.25`,
          [this.fax]: `fax ${turn}`,
        });
      case 3:
        return this.send("GET", `?price=${(number % 100_000) / 100}&pageSize=5`);
      default:
        return this.send("GET", `/${id}`);
    }
  }

  private send(method: string, path: string, body?: object): Promise<string> {
    return new Promise((done, fail) => {
      const sent = request(
        {
          agent: this.agent,
          port: this.port,
          method,
          path: `/api/v1/orders${path}`,
          headers: body ? { "content-type": "application/json" } : {},
        },
        (answer) => {
          answer.resume();
          answer.once("end", () => done(String(answer.statusCode)));
          answer.once("error", fail);
        },
      );
      sent.once("error", fail);
      sent.end(body && JSON.stringify(body));
    });
  }
}

function newPhase(name: string): Phase {
  return { name, milliseconds: [], failures: new Map() };
}

function tell({ name, milliseconds, failures }: Phase): void {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0)} ms`;
  const failed = [...failures].map(([what, count]) => `${count} x ${what}`).join(", ") || "0";
  console.log(
    `${name}: ${sorted.length} requests, failed: ${failed}; p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
  );
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
}

async function stop({ child }: RunningRelease): Promise<void> {
  child.kill("SIGTERM");
  await inTime(child, once(child, "close"));
}

generateReleases();
const server = await startPostgres();
try {
  const older = await startRelease("older", server.url);
  await fill(server.url);
  console.log(`${ROWS} orders`);
  const load = new Load(older.port);
  const before = load.begin("before");
  await pause(QUIET_MILLISECONDS);
  const during = load.begin("while the newer release migrates");
  const migrated = await migrate(server.url);
  const after = load.begin("after");
  await pause(QUIET_MILLISECONDS / 2);
  await load.end();
  for (const phase of [before, during, after]) tell(phase);
  await stop(older);
  console.log(`migrated in ${seconds(migrated)}; no release serves while the rest is done:`);
  await migrate(server.url, "--finish");
  const newer = await startRelease("newer", server.url);
  const renewed = new Load(newer.port, "phone");
  const served = renewed.begin("the newer release");
  await pause(2000);
  await renewed.end();
  tell(served);
  await stop(newer);
  const wrong = `SELECT COUNT(*) AS count FROM "orders" WHERE "price" IS NULL OR "number" IS NULL OR ("phone" IS NULL AND "number" LIKE 'number%')`;
  console.log(
    `rows that lost something: ${String((await query(server.url, wrong))[0]?.["count"])}`,
  );
} finally {
  await server.remove();
}
