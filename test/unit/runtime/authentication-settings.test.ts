import { expect, test } from "vitest";
import { readAuthentication, type BearerSettings } from "#runtime/auth/authentication";
import { callerOf } from "#runtime/auth/bearer";

const NONE = { scheme: "none" } as const;
const BEARER: BearerSettings = {
  scheme: "bearer",
  issuer: "https://login.example.com/",
  audience: "desk",
  keys: "https://login.example.com/jwks.json",
  roles: "roles",
};

test("the environment wins over the schema", () => {
  const variables = { AUTH_ISSUER: "https://other/", AUTH_AUDIENCE: "b", AUTH_KEYS: "keys.json" };
  expect(readAuthentication(variables, BEARER)).toEqual({
    ...BEARER,
    issuer: "https://other/",
    audience: "b",
    keys: "keys.json",
  });
  expect(readAuthentication({ AUTH_SCHEME: "none" }, BEARER)).toEqual(NONE);
  expect(readAuthentication({ AUTH_SCHEME: "" }, NONE)).toEqual(NONE);
});

test.each([
  { variables: { NODE_ENV: "production" }, problem: "AUTH_SCHEME=none" },
  { variables: { AUTH_SCHEME: "basic" }, problem: "bearer, none" },
  { variables: { AUTH_SCHEME: "bearer" }, problem: "service.yaml" },
])("a service without authentication does not start with $variables", ({ variables, problem }) => {
  expect(() => readAuthentication(variables, NONE)).toThrow(problem);
});

test("in production a service without authentication starts when that is asked for by name", () => {
  const production = { NODE_ENV: "production" };
  expect(readAuthentication({ ...production, AUTH_SCHEME: "none" }, NONE)).toEqual(NONE);
  expect(readAuthentication(production, BEARER)).toEqual(BEARER);
});

test.each([
  [{ roles: ["a", "b"] }, "roles", ["a", "b"]],
  [{ roles: "a b" }, "roles", ["a", "b"]],
  [{ realm_access: { roles: ["a"] } }, "realm_access.roles", ["a"]],
  [{ "https://a.example/roles": ["a"] }, "https://a.example/roles", ["a"]],
  [{ roles: [1, null, "a"] }, "roles", ["a"]],
  [{ roles: { admin: true } }, "roles", []],
  [{}, "constructor.name", []],
  [{ realm_access: null }, "realm_access.roles", []],
])("the roles in %j at %s are %j", (claims, path, roles) => {
  expect(callerOf({ sub: "a", ...claims }, { issuer: "issuer", roles: path })?.roles).toEqual(
    roles,
  );
});
