import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { BearerSettings } from "#runtime/auth/authentication";
import { AUDIENCE, ISSUER, newKeys, tokenOf } from "../contract/support/secured.js";

/** Who calls a random service: one with every role, one with each, two with none. */
export interface RandomCallers {
  tokens(): Promise<readonly string[]>;
  /** What the service is started with. */
  readonly authentication: BearerSettings;
}

const ROLES = ["clerk", "admin"];

/** Makes keys, of which a file holds the public ones. */
export async function randomCallers(file: string, path = "roles"): Promise<RandomCallers> {
  const keys = await newKeys("random");
  writeFileSync(file, JSON.stringify({ keys: [keys.jwk] }));
  const token = async (subject: string, roles: readonly string[]): Promise<string> =>
    tokenOf(keys, subject, roles, { claims: { roles: [...roles], org: "acme" } });
  return {
    tokens: async () =>
      Promise.all([
        token("boss", ROLES),
        ...ROLES.map(async (role) => token(role, [role])),
        token(randomUUID(), []),
        token("stranger", []),
      ]),
    authentication: {
      scheme: "bearer",
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: file,
      roles: path,
    },
  };
}
