import { runCustom } from "../base/custom-code.js";
import { withTimeout } from "../base/background.js";
import type { ServiceRuntime } from "../http/settings.js";

/** Time after which a database or an issuer without a response is not ready. */
const READY_MILLISECONDS = 900;
/** Requests share one result for this long, so that they do not load the database. */
const RENEWED_MILLISECONDS = 1000;

/** Rejects if a dependency of the service is missing. */
type Check = () => Promise<void>;

/** The missing dependencies by name, each with the reason. */
type Missing = ReadonlyMap<string, unknown>;

/** Dependencies of the service besides its database and its issuer. */
interface Needed {
  /** Number of migrations that the database must have recorded. */
  readonly migrations: number;
  readonly checks: Readonly<Record<string, Check>>;
}

/** Checks the dependencies of the service at most once a second. */
export class Readiness {
  private checked: { readonly at: number; readonly missing: Promise<Missing> } | null = null;

  constructor(
    private readonly runtime: ServiceRuntime,
    private readonly needed: Needed,
  ) {}

  /** Returns the missing dependencies, as of at most a second ago. */
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
