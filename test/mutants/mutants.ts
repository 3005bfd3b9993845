import { ENTITY_MUTANTS } from "./entity-mutants.js";
import { LIMIT_MUTANTS } from "./limit-mutants.js";
import type { Mutant } from "./mutant.js";
import { OPERATION_MUTANTS } from "./operation-mutants.js";
import { QUERY_MUTANTS } from "./query-mutants.js";
import { REFUSAL_MUTANTS } from "./refusal-mutants.js";

/** Every seeded fault; `generator verify` has to notice each of them. */
export const MUTANTS: readonly Mutant[] = [
  ...ENTITY_MUTANTS,
  ...LIMIT_MUTANTS,
  ...OPERATION_MUTANTS,
  ...QUERY_MUTANTS,
  ...REFUSAL_MUTANTS,
];
