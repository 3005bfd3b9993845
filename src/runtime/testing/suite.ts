import type { Client } from "./client.js";
import type { Credentials } from "./credentials.js";
import type { ResourceFacts } from "./resource-facts.js";

/** A UUID that names nothing. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";

/** The subject of whoever creates the entities of a test. */
export const CREATOR = "contract-tests";

/** What the tests of one resource share. */
export interface Suite {
  readonly facts: ResourceFacts;
  /** REP-5: what service.yaml says of `json`. */
  readonly pretty: boolean;
  /** Known once the service listens. */
  readonly client: () => Client;
  /** What somebody else sends, to be known. */
  readonly headersOf: Credentials["headersOf"];
}
