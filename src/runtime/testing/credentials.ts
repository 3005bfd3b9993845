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

/** Makes credentials for a service, by what it declares. */
export type MakeCredentials = (declared: AuthenticationSettings) => Promise<Credentials>;

/** The credentials of a service that needs none. */
export const NO_CREDENTIALS: Credentials = {
  authentication: { scheme: "none" },
  headersOf: async () => ({}),
};
