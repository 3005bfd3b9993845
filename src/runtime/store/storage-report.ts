import type { StorageLog } from "./database.js";

/** What can be wrong with a storage, apart from any one request. */
export type StorageTrouble = "locked" | "files" | "unwritable" | "damaged" | "overloaded";

/** Tells once of each trouble, not once a request, and when it is over. */
export class StorageReport {
  /** Where it tells; nobody hears of what happens before there is a log. */
  log: StorageLog | null = null;
  private readonly known = new Set<StorageTrouble>();

  /** True for the first time. */
  began(trouble: StorageTrouble): boolean {
    if (this.known.has(trouble)) return false;
    this.known.add(trouble);
    return true;
  }

  /** Tells of a trouble, the first time. */
  tell(trouble: StorageTrouble, message: string): void {
    if (this.began(trouble)) this.log?.error(message);
  }

  /** Says nothing, unless one of them was told of. */
  ended(message: string, ...troubles: readonly StorageTrouble[]): void {
    if (this.known.size === 0) return;
    const over = troubles.filter((trouble) => this.known.delete(trouble));
    if (over.length > 0) this.log?.info(message);
  }
}
