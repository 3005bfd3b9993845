import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSchema, schemaUrl } from "../../support/postgres-schema.js";
import type { Arena, Attack, Finding, Size } from "./attack.js";
import { buildShop, type ShopVariant } from "./attacked-shop.js";
import { startService, type RunningService, type StartOptions } from "./running-service.js";
import type { Tokens } from "./shop-entities.js";
import { newKey, tokenOf, writeKeys, type IssuerKey } from "./tokens.js";

/** What all attacks of a run share. */
export interface Battlefield {
  readonly size: Size;
  /** The program that runs the services. */
  readonly node: string;
  /** Where the services are built; see `newBuildFolder`. */
  readonly builds: string;
  /** Null: there is none, and attacks on SQLite only. */
  readonly postgresUrl: string | null;
}

let issuer: Promise<IssuerKey> | null = null;
const built = new Map<string, string>();

/** The key that the services of all arenas accept. */
export function issuerKey(): Promise<IssuerKey> {
  issuer ??= newKey("first");
  return issuer;
}

/** Tokens of a clerk and of a customer. */
export async function arenaTokens(): Promise<Tokens> {
  const key = await issuerKey();
  return {
    clerk: await tokenOf(key, "clerk-1", ["clerk"]),
    customer: await tokenOf(key, "customer-1", []),
  };
}

/** Runs an attack on one database in an arena of its own; one that throws is a finding that is not met. */
export async function runAttack(
  attack: Attack,
  database: Arena["database"],
  field: Battlefield,
): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "attack-"));
  const running: RunningService[] = [];
  try {
    const arena = await newArena(database, field, { folder, running });
    const findings = await attack.run(arena);
    return findings.map((finding) => named(finding, attack, database));
  } catch (error) {
    const measured = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${attack.name}: ${measured}\n`);
    return [
      named(
        { name: "the attack itself", measured: "failed", bound: "", isMet: false },
        attack,
        database,
      ),
    ];
  } finally {
    for (const service of running) await service.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newArena(
  database: Arena["database"],
  field: Battlefield,
  { folder, running }: { readonly folder: string; readonly running: RunningService[] },
): Promise<Arena> {
  const { node, size, builds, postgresUrl } = field;
  const databaseUrl =
    database === "sqlite" ? `sqlite:${join(folder, "shop.db")}` : schemaUrl(postgresUrl ?? "");
  if (database === "postgres") await makeSchema(databaseUrl);
  const keys = writeKeys(folder, [await issuerKey()]);
  const start = async (options: StartOptions = {}): Promise<RunningService> => {
    const service = serviceFolder(options.variant ?? "usual", builds);
    const variables = { DATABASE_URL: databaseUrl, AUTH_KEYS: keys, ...options.variables };
    const started = await startService({ node, service, folder, variables }, options.output);
    running.push(started);
    return started;
  };
  return {
    database,
    size,
    folder,
    databaseUrl,
    start,
    bySize: (numbers) => numbers[size],
  };
}

/** Each variant is built once in a run. */
function serviceFolder(variant: ShopVariant, builds: string): string {
  const folder = built.get(variant) ?? buildShop(variant, builds);
  built.set(variant, folder);
  return folder;
}

function named(finding: Finding, { name }: Attack, database: Arena["database"]): Finding {
  return { ...finding, name: `${name}, ${database}: ${finding.name}` };
}
