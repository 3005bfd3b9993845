import type { AuthenticationSettings } from "../auth/authentication-settings.js";

/** Who calls in a test. */
export interface TestCaller {
  readonly subject: string;
  /** Left out: none. */
  readonly roles?: readonly string[];
}

/** How the service of a test knows its callers, and what each of them sends for that. */
export interface Credentials {
  readonly authentication: AuthenticationSettings;
  readonly headersOf: (caller: TestCaller) => Promise<Readonly<Record<string, string>>>;
}

/** What generated tests send: each caller has the roles of test/samples.ts, but for those that tests try by themselves. */
export function headersWith(
  headersOf: Credentials["headersOf"],
  given: readonly string[],
  tried: readonly string[],
): Credentials["headersOf"] {
  const beside = given.filter((role) => !tried.includes(role));
  return async ({ subject, roles = [] }) => headersOf({ subject, roles: [...roles, ...beside] });
}

/** Makes credentials for a service, by what it declares. */
export type MakeCredentials = (declared: AuthenticationSettings) => Promise<Credentials>;

/** The credentials of a service that needs none. */
export const NO_CREDENTIALS: Credentials = {
  authentication: { scheme: "none" },
  headersOf: async () => ({}),
};
