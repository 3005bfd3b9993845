import type { ActionFacts, Parent, PathFacts, ResourceFacts } from "./resource-facts.js";
import type { Suite } from "./suite.js";

/** Tests that only some resources need. */
export interface TestParts {
  /** AUT-1; left out: the service has no authentication. */
  readonly bearer?: BearerTests;
  /** CHD; left out: the resource is not a child. */
  readonly child?: (suite: Suite, parent: Parent) => void;
  /** CHD-1; left out: nothing but a parent is in its paths. */
  readonly paths?: (suite: Suite, above: PathFacts) => void;
  /** OPS-11; left out: the resource has no actions. */
  readonly actions?: (suite: Suite, actions: readonly ActionFacts[]) => void;
}

/** What the tests of a service with authentication need. */
export interface BearerTests {
  /** Every role that the access of a resource names. */
  rolesOf(facts: ResourceFacts): readonly string[];
  accessTests(suite: Suite): void;
}
