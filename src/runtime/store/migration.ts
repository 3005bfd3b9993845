import type { MigrationStep } from "./migration-step.js";

/** One step of the schema's history, as a folder of `migrations` describes it. */
export interface Migration {
  readonly name: string;
  /** In the dialect of the database. */
  readonly script: string;
  /** The SHA-256 of the script, in hex. */
  readonly digest: string;
  /** What it does to the storage model; none where it was written by hand. */
  readonly steps: readonly MigrationStep[];
  /** What it was made on top of; empty where nothing is known of what it does. */
  readonly parents: readonly string[];
  /** How values are stored once it is applied; null where it says nothing of that. */
  readonly storage: StorageRecord | null;
  /** Older releases could not live with it: it waits until none serves. */
  readonly retiresOlder: boolean;
}

/** A storage model on record. */
export interface StorageRecord {
  readonly fingerprint: string;
  /** Compact JSON: at least the names of the tables that the migration makes. */
  readonly model: string;
}

/** A migration that the database has recorded as applied. */
export interface AppliedMigration {
  readonly name: string;
  readonly digest: string;
}

/** What is on record of a migration. */
export interface RecordedMigration extends AppliedMigration {
  /** Null: nothing was recorded. */
  readonly storage: StorageRecord | null;
  /** How many of its statements have been run where it is begun and not applied; otherwise null. */
  readonly done: number | null;
  /** The digests of the statements that have been run, in their order; those of an older runtime are missing. */
  readonly statements?: readonly string[];
  /** True where older releases can live with what has been done: with all of it, or with what is begun. */
  readonly isEarly?: boolean;
}
