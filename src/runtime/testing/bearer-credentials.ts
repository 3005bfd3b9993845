import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { AuthenticationSettings } from "../auth/authentication-settings.js";
import { NO_CREDENTIALS, type Credentials } from "./credentials.js";
import { openSigningKeys, signToken } from "./signing-keys.js";

const SECONDS = 3600;

/** Real credentials, signed with a new key. */
export async function bearerCredentials(declared: AuthenticationSettings): Promise<Credentials> {
  if (declared.scheme === "none") {
    return NO_CREDENTIALS;
  }
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const keys = await openSigningKeys(folder);
  return {
    authentication: { ...declared, keys: keys.file },
    headersOf: async ({ subject, roles = [] }) => {
      const claims = { subject, roles, seconds: SECONDS };
      const token = await signToken(keys, declared, claims);
      return { authorization: `Bearer ${token}` };
    },
  };
}
