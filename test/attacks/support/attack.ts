import type { RunningService, StartOptions } from "./running-service.js";

/** What a service keeps its entities in. */
export type Database = "sqlite" | "postgres";

/** How much is sent: seconds within `npm test`, minutes by `npm run attacks`, an hour with `--long`. */
export type Size = "short" | "usual" | "long";

/** One measured figure beside its bound. */
export interface Finding {
  readonly name: string;
  readonly measured: string;
  readonly bound: string;
  /** Null: nothing was to be seen here, and `measured` says why. */
  readonly isMet: boolean | null;
}

/** Where an attack takes place: a database of its own, and a folder that is deleted afterwards. */
export interface Arena {
  readonly database: Database;
  readonly size: Size;
  readonly folder: string;
  /** Of the database of this arena; all services of one attack share it. */
  readonly databaseUrl: string;
  /** A number by the size of the run. */
  readonly bySize: (numbers: Readonly<Record<Size, number>>) => number;
  /** Starts the service; it is killed at the end of the attack if it still runs. */
  readonly start: (options?: StartOptions) => Promise<RunningService>;
}

/** A script that attacks a service, bounded in count and time. */
export interface Attack {
  readonly name: string;
  readonly databases: readonly Database[];
  readonly run: (arena: Arena) => Promise<readonly Finding[]>;
}

/** A finding that is met when a number is at most a bound. */
export function atMost(name: string, value: number, bound: number, unit = ""): Finding {
  const measured = `${shown(value)}${unit}`;
  return { name, measured, bound: `<= ${shown(bound)}${unit}`, isMet: value <= bound };
}

/** A finding that is met when a number is at least a bound. */
export function atLeast(name: string, value: number, bound: number, unit = ""): Finding {
  const measured = `${shown(value)}${unit}`;
  return { name, measured, bound: `>= ${shown(bound)}${unit}`, isMet: value >= bound };
}

/** A finding that is met when something holds. */
export function holds(name: string, isMet: boolean, measured: string): Finding {
  return { name, measured, bound: "so it is", isMet };
}

/** A figure without a bound, which shows that something was tried at all, or an attack that cannot be made here. */
export function told(name: string, measured: string): Finding {
  return { name, measured, bound: "", isMet: null };
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value >= 10 ? 0 : 2);
}
