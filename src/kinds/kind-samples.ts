import type { Json } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import type { Value } from "./property-model.js";

/** Values for checks and examples: each valid one is stored and returned unchanged, each invalid one is refused. */
export interface Samples {
  readonly valid: readonly Value[];
  readonly invalid: readonly Value[];
}

/** What tests and checks of a running service ask of a kind. */
export interface KindSamples<T> {
  samples(type: T): Samples;
  /** A value that the type allows, other for each seed where there are others; null where none was found. */
  seeded(type: T, seed: Seed, word: string): Json;
}
