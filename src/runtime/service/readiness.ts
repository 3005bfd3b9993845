import { runCustom } from "../base/custom-code.js";
import { withTimeout } from "../base/background.js";
import type { ServiceRuntime } from "../http/settings.js";

/** A database or an issuer that takes longer to answer is not ready. */
const READY_MILLISECONDS = 900;
/** Requests share one result for this long, so that they cost the database nothing. */
const RENEWED_MILLISECONDS = 1000;

/** Looks for something that the service needs, and rejects where it is not there. */
type Check = () => Promise<void>;

/** What is missing, by its name, and why. */
type Missing = ReadonlyMap<string, unknown>;

/** What the service needs in addition to its database and its issuer. */
interface Needed {
  /** How many migrations the database must have on record. */
  readonly migrations: number;
  readonly checks: Readonly<Record<string, Check>>;
}

/** What keeps the service from doing its work: checked at most once a second, however many requests ask. */
export class Readiness {
  private checked: { readonly at: number; readonly missing: Promise<Missing> } | null = null;

  constructor(
    private readonly runtime: ServiceRuntime,
    private readonly needed: Needed,
  ) {}

  /** What is missing now, or was at most a second ago. */
  findMissing(): Promise<Missing> {
    const at = this.runtime.elapsed();
    if (this.checked === null || at - this.checked.at >= RENEWED_MILLISECONDS)
      this.checked = { at, missing: this.check() };
    return this.checked.missing;
  }

  private async check(): Promise<Missing> {
    const { authentication } = this.runtime;
    const { checks } = this.needed;
    const missing = new Map<string, unknown>();
    const look = async (name: string, check: Check, asLogged: (error: unknown) => unknown) =>
      withTimeout(check(), READY_MILLISECONDS).catch((error: unknown) => {
        missing.set(name, asLogged(error));
      });
    const asItIs = (error: unknown): unknown => error;
    await Promise.all([
      look("database", async () => this.checkDatabase(), asItIs),
      look("issuer", async () => authentication.checkReady(), asItIs),
      ...Object.entries(checks).map(async ([name, check]) => {
        const named = (cause: unknown) => new Error(`The check ${name} failed`, { cause });
        return look(`check ${name}`, async () => runCustom(`check ${name}`, check), named);
      }),
    ]);
    return missing;
  }

  private async checkDatabase(): Promise<void> {
    const { database } = this.runtime;
    await database.check();
    const recorded = await database.migrations();
    if (recorded.length < this.needed.migrations)
      throw new Error("The database has lost its migrations.");
  }
}
