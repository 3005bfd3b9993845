import { ACTION_MUTANTS } from "./action-mutants.js";
import { ENTITY_MUTANTS } from "./entity-mutants.js";
import { EVENT_MUTANTS } from "./event-mutants.js";
import { IDEMPOTENCY_MUTANTS } from "./idempotency-mutants.js";
import { LIMIT_MUTANTS } from "./limit-mutants.js";
import type { Mutant } from "./mutant.js";
import { OPERATION_MUTANTS } from "./operation-mutants.js";
import { PRECONDITION_MUTANTS } from "./precondition-mutants.js";
import { QUERY_MUTANTS } from "./query-mutants.js";
import { REFERENCE_MUTANTS } from "./reference-mutants.js";
import { ACCESS_MUTANTS } from "./access-mutants.js";
import { REFUSAL_MUTANTS } from "./refusal-mutants.js";
import { VERSION_MUTANTS } from "./version-mutants.js";
import { STATUS_MUTANTS } from "./status-mutants.js";

/** Every seeded fault; `generator verify` has to notice each of them. */
export const MUTANTS: readonly Mutant[] = [
  ...ENTITY_MUTANTS,
  ...LIMIT_MUTANTS,
  ...OPERATION_MUTANTS,
  ...REFERENCE_MUTANTS,
  ...ACTION_MUTANTS,
  ...PRECONDITION_MUTANTS,
  ...IDEMPOTENCY_MUTANTS,
  ...EVENT_MUTANTS,
  ...QUERY_MUTANTS,
  ...ACCESS_MUTANTS,
  ...REFUSAL_MUTANTS,
  ...VERSION_MUTANTS,
  ...STATUS_MUTANTS,
];
