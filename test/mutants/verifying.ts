import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { v5 } from "uuid";
import { readModel } from "../../src/commands/read-model.js";
import { nodeFiles } from "../../src/files/node-files.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { CHECKS } from "../../src/verify/checks.js";
import { BODIES } from "../../src/verify/checks/bodies-on-the-wire.js";
import { ERRORS } from "../../src/verify/checks/errors.js";
import { LIMITS } from "../../src/verify/checks/limits.js";
import { METHODS } from "../../src/verify/checks/methods.js";
import { NAMING } from "../../src/verify/checks/naming.js";
import { PARAMETERS } from "../../src/verify/checks/parameters.js";
import { VALIDATION } from "../../src/verify/checks/validation.js";
import type { Conformance } from "../../src/verify/verdict.js";
import { verify, type VerifyOptions } from "../../src/verify/verify.js";
import type { BearerSettings } from "#runtime/auth/authentication";
import { AUDIENCE, ISSUER, newKeys, startKeyServer, tokenOf } from "../contract/support/secured.js";

/** The model of the project in a folder. */
export async function modelOf(folder: string): Promise<ServiceModel> {
  const read = await readModel(nodeFiles, folder);
  if (!read.ok) throw new Error(`${folder} has mistakes`);
  return read.value.model;
}

/** The model of a project under `fixtures/`. */
export async function fixtureModel(fixture: string): Promise<ServiceModel> {
  return modelOf(join(process.cwd(), "fixtures", fixture));
}

/** Verifies a service as the command does; everything that can be left is made, for the database goes with the test. */
export async function verifyAt(
  model: ServiceModel,
  url: string,
  options: Partial<VerifyOptions> = {},
): Promise<Conformance> {
  return verify(model, {
    url: new URL(url),
    tokens: [],
    rules: [],
    leave: true,
    samples: new Map(),
    events: null,
    mostFailures: 50,
    run: randomUUID(),
    now: Date.now,
    signal: new AbortController().signal,
    tell: () => undefined,
    tellBegin: () => undefined,
    tellWait: () => undefined,
    ...options,
  });
}

/** Rules whose outcome does not depend on the database. */
export const OF_NO_DATABASE: readonly string[] = [
  ...[...NAMING, ...BODIES, ...METHODS, ...PARAMETERS],
  ...[...ERRORS, ...VALIDATION, ...LIMITS],
].map(({ rule }) => rule);

/** The others that verify tries. */
export const OF_DATABASES: readonly string[] = CHECKS.map(({ rule }) => rule).filter(
  (rule) => !OF_NO_DATABASE.includes(rule),
);

/** AUT-3: a subject that could be the UUID of a text. */
const STRANGER = v5("stranger", v5.URL);

/** Callers of a service, and where it finds their keys. */
export interface SecuredCallers {
  readonly tokens: readonly string[];
  readonly authentication: BearerSettings;
}

/** Tenants of the callers of fixtures/tenants; undefined: the token names none. */
const TENANTS = ["acme", "globex", "acme", "globex", undefined, "acme"];

/** Makes tokens of two tenants, each with and without a role, and one that names none, and serves their keys. */
export async function tenantCallers(): Promise<SecuredCallers> {
  const keys = await newKeys("verify");
  const { url } = await startKeyServer([keys.jwk]);
  const tokens = await Promise.all(
    TENANTS.map(async (id, index) => {
      const claims = id === undefined ? {} : { organisation: { id } };
      return tokenOf(keys, `caller-${index}`, index < 2 ? ["clerk"] : [], { claims });
    }),
  );
  const claims = { roles: "realm_access.roles", tenant: "organisation.id" };
  const settings = { issuer: ISSUER, audience: AUDIENCE, keys: url, ...claims };
  return { tokens, authentication: { scheme: "bearer", ...settings } };
}

/**
 * Makes tokens of one who has every role in fixtures/secured, of some who have one, and of two who have none, and serves the
 * keys that they are signed with until the file's tests are done.
 */
export async function securedCallers(): Promise<SecuredCallers> {
  const keys = await newKeys("verify");
  const { url } = await startKeyServer([keys.jwk]);
  const named = { claims: { preferred_username: "boss@example.com" } };
  const every = ["editor", "admin", "clerk", "keeper"];
  const tokens = await Promise.all([
    tokenOf(keys, "boss", [...every, "courier", "sender"], named),
    ...every.map(async (role) => tokenOf(keys, role, [role])),
    tokenOf(keys, randomUUID()),
    tokenOf(keys, STRANGER),
  ]);
  const settings = { issuer: ISSUER, audience: AUDIENCE, roles: "realm_access.roles" };
  return { tokens, authentication: { scheme: "bearer", keys: url, ...settings } };
}
