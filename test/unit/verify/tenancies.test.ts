import { expect, test } from "vitest";
import type { ServiceModel } from "../../../src/model/service-model.js";
import { callerOf, type Caller } from "../../../src/verify/caller.js";
import { runIn, tenanciesOf } from "../../../src/verify/tenancies.js";

const BEARER = { scheme: "bearer", issuer: "", audience: "", keys: "", roles: "roles" } as const;

function caller(claims: object, tenant: string | null = "org.id"): Caller {
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  const authentication = { ...BEARER, tenant };
  return callerOf(`h.${payload}.s`, { authentication } as unknown as ServiceModel);
}

test.each([
  { claims: { org: { id: "acme" } }, tenant: "acme" },
  { claims: { "org.id": "acme", org: { id: "other" } }, tenant: "acme" },
  { claims: { org: { id: "a".repeat(60) } }, tenant: "a".repeat(60) },
  { claims: { org: { id: "a".repeat(61) } }, tenant: null },
  { claims: { org: { id: " " } }, tenant: null },
  { claims: { org: { id: ["acme"] } }, tenant: null },
  { claims: { org: [{ id: "acme" }] }, tenant: null },
  { claims: { org: "acme" }, tenant: null },
])("AUT-4: the tenant of $claims is $tenant", ({ claims, tenant }) => {
  expect(caller(claims).tenant).toBe(tenant);
  expect(caller(claims, null).tenant).toBeNull();
});

const [acme, clerk, globex, nobody] = [
  caller({ sub: "1", org: { id: "acme" } }),
  caller({ sub: "2", org: { id: "acme" } }),
  caller({ sub: "3", org: { id: "globex" } }),
  caller({ sub: "4" }),
];

test.each([
  { callers: [nobody], home: [nobody], others: [], nameless: [] },
  { callers: [acme, clerk], home: [acme, clerk], others: [], nameless: [] },
  { callers: [nobody, globex, acme, clerk], home: [globex], others: [[acme, clerk]] },
])("the first tenant that is named is at home", ({ callers, nameless = [nobody], ...wanted }) => {
  expect(tenanciesOf(callers)).toEqual({ ...wanted, nameless });
});

test("each tenant has a run of its own", () => {
  const run = "0f5a2c1e-9d3b-4e7a-8c64-5b1d2e3f4a5b";
  expect(runIn([acme], run)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(runIn([acme], run)).toBe(runIn([clerk], run));
  expect(new Set([run, runIn([acme], run), runIn([globex], run)]).size).toBe(3);
});
