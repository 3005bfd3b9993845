import { ADVICE } from "../diagnostics/advice.js";
import { accessOf } from "./check-disclosure.js";
import type { Pair } from "./check-lineage.js";
import type { Project } from "./check-versions.js";
import { isMapping, mapping, own } from "./plain.js";
import type { CheckedResource } from "./read-resource.js";
import type { Beside, Together } from "./scope.js";
import { tenantOf } from "./tenants.js";

/** AUT-4: the tenant of a resource, or of what it represents. */
function hasTenant({ value }: CheckedResource, { stored, scope }: Beside): boolean {
  const find = (plural: unknown) => stored.find((one) => one.value["resource"] === plural)?.value;
  const original = value["represents"] === undefined ? value : find(value["represents"]);
  return original !== undefined && tenantOf(original, scope.tenant, find) !== null;
}

/** AUT-4: only named callers have a tenant, and what all tenants share shows nothing of one. */
export function checkTenants(together: Together): void {
  for (const resource of [...together.stored, ...together.shown]) {
    if (hasTenant(resource, together)) checkNamed(resource, together);
    else checkShared(resource, together);
  }
}

/** SCH-441, SCH-445 */
function checkNamed(resource: CheckedResource, beside: Beside): void {
  const { findings, value } = resource;
  if (beside.scope.authentication === "none") {
    const at = { path: [value["tenant"] === undefined ? "resource" : "tenant"] };
    const suggestion = "Write authentication: { scheme: bearer, ... } in service.yaml.";
    return findings.add("SCH-445", at, {}, { suggestion });
  }
  for (const path of openPlaces(resource, beside)) {
    const suggestion =
      "Grant it to `authenticated` callers or a role; or write `tenant: none`, if all tenants share it.";
    findings.add("SCH-441", { path }, {}, { suggestion });
  }
}

/** Where the use of a resource is granted to anyone. */
function openPlaces(resource: CheckedResource, beside: Beside): readonly (readonly string[])[] {
  const { value } = resource;
  const access = Object.entries(accessOf(resource, beside));
  const opened = access.find(([, grants]) => grants.includes("anyone"))?.[0];
  const isSaid = opened !== undefined && own(value["access"], opened) !== undefined;
  const actions = actionsOf(value).filter(([, action]) => {
    const grants = own(action, "access");
    return Array.isArray(grants) && grants.includes("anyone");
  });
  return [
    ...(opened === undefined ? [] : [isSaid ? ["access", opened] : ["resource"]]),
    ...actions.map(([name]) => ["actions", name, "access"]),
  ];
}

function actionsOf({ actions }: CheckedResource["value"]): readonly [string, unknown][] {
  return Object.entries(mapping(actions));
}

/** SCH-442 */
function checkShared({ findings, properties, value }: CheckedResource, beside: Beside): void {
  for (const { kind, name, path, yaml } of properties) {
    if (kind !== "reference" || yaml.external === true) continue;
    const target = beside.stored.find((one) => one.value["resource"] === yaml.reference);
    if (target === undefined || !hasTenant(target, beside)) continue;
    const given = { name, reference: String(yaml.reference), resource: String(value["resource"]) };
    const suggestion = "Give this resource the tenant as well, or remove the reference.";
    findings.add("SCH-442", { path }, given, { suggestion });
  }
}

/** SCH-440: a token names one tenant. */
export function checkClaims({ service, resources }: Project): void {
  const all = [{ value: service.value, findings: service.findings }, ...resources].filter(
    ({ value }) => isMapping(value["tenant"]),
  );
  const claimOf = (value: CheckedResource["value"]) => own(value["tenant"], "claim");
  const [first, ...others] = all;
  for (const { value, findings } of others) {
    const claim = claimOf(value);
    const known = claimOf(first?.value ?? {});
    if (claim === known) continue;
    const given = { claim: String(claim), other: String(known) };
    findings.add("SCH-440", { path: ["tenant", "claim"] }, given, { suggestion: ADVICE.keepOne });
  }
}

/** SCH-443: all versions that are served show the entities of the same tenant. */
export function checkSameTenant({ older, newer }: Pair): void {
  const claimIn = ({ value }: Pair["older"]["lineage"]) =>
    typeof value.tenant === "object" ? value.tenant.claim : (value.tenant ?? "");
  if (claimIn(older.lineage) === claimIn(newer.lineage)) return;
  const at = { path: [newer.lineage.value.tenant === undefined ? "resource" : "tenant"] };
  const suggestion = `Write it as ${older.lineage.version} does; or change both, which breaks clients of ${older.lineage.version}.`;
  newer.findings.add("SCH-443", at, { older: older.lineage.version }, { suggestion });
}
