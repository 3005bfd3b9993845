import { serviceHeader, type HeaderView } from "./header-view.js";
import type { ServiceSettings } from "./settings-view.js";

/** What `service/testing.ts.hbs` sees. */
export interface TestingView extends HeaderView {
  /** AUT-1: tests sign their tokens themselves. */
  readonly isBearer: boolean;
  readonly isOpen: boolean;
}

/** What own tests and generated ones start the service with. */
export function testingView({ authentication }: ServiceSettings): TestingView {
  const isBearer = authentication.scheme === "bearer";
  return { ...serviceHeader(), isBearer, isOpen: !isBearer };
}
