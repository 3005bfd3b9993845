import { createHash } from "node:crypto";
import type { Json, JsonObject } from "./json.js";

/** Makes the values of one body differ from those of every other body, in this and any other run. */
export interface Seed {
  /** Unique for the run: a UUID. */
  readonly run: string;
  /** Counts the bodies of the run, from 0. */
  readonly index: number;
  /** Entities that references can lead to, by the plural of their resource. */
  readonly anchors: (plural: string) => readonly JsonObject[];
  /** One of them that nothing refers to yet; left out: no resource needs one. */
  readonly spare?: (plural: string) => JsonObject | undefined;
  /** Whether an entity has a value already of a property that is unique; left out: none has. */
  readonly isTaken?: (path: string, value: Json) => boolean;
  /** What bodies of a resource hold in place of what would be made up, by its path; left out: nothing. */
  readonly given?: (path: string) => JsonObject;
}

/** A number below `count` that follows from the seed; neighbours differ. */
export function stepOf({ run, index }: Seed, count: number): number {
  const start = Number.parseInt(run.replaceAll("-", "").slice(-9), 16);
  return (start + index) % Math.max(1, count);
}

/** Pseudo-random hexadecimal digits, derived from the seed and a word. */
export function digits({ run, index }: Seed, word = ""): string {
  return createHash("sha256").update(`${run} ${index} ${word}`).digest("hex");
}

/** A UUID that follows from the seed. */
export function seededUuid(seed: Seed, word = "uuid"): string {
  const hex = digits(seed, word);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return `${parts.join("-")}-${hex.slice(20, 32)}`;
}

/** Chooses pseudo-randomly: the same seed always gives the same choice. */
export function pickerOf(seed: Seed, word: string): (count: number) => number {
  let turn = 0;
  return (count) => {
    turn += 1;
    return Number.parseInt(digits(seed, `${word} ${turn}`).slice(0, 12), 16) % Math.max(1, count);
  };
}
