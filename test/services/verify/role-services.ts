import fc from "fast-check";
import { stringify } from "yaml";
import { AUTHENTICATION } from "../../support/random-access.js";
import type { Texts } from "../../support/render-files.js";

/** Roles that a caller can have. */
export const ROLES: readonly string[] = ["desk", "nurse", "vet"];

/** A clinic of three levels, each with access of its own, and the roles of those who call it. */
export interface Clinic {
  readonly files: Texts;
  readonly callers: readonly (readonly string[])[];
}

type Access = Readonly<Record<string, readonly string[] | undefined>>;

const LEVELS = [
  { plural: "owners", singular: "owner", parent: null },
  { plural: "animals", singular: "animal", parent: "owners" },
  { plural: "vaccinations", singular: "vaccination", parent: "animals" },
] as const;

/** The files of a clinic; a level without access is open to whoever its defaults say. */
export function clinicFiles(access: readonly (Access | null)[]): Texts {
  const levels = LEVELS.map(({ plural, singular, parent }, index) => {
    const rules = access[index] ?? null;
    const resource = {
      ...{ resource: plural, entity: singular },
      ...(parent !== null && { parent }),
      properties: { title: "string" },
      ...(rules !== null && { access: rules }),
    };
    return [
      `resources/v1/${plural}.yaml`,
      stringify(resource, { aliasDuplicateObjects: false }),
    ] as const;
  });
  const service = { service: "clinic", authentication: { ...AUTHENTICATION, roles: "roles" } };
  return { "service.yaml": stringify(service), ...Object.fromEntries(levels) };
}

const roleGrants = fc
  .subarray([...ROLES], { minLength: 1 })
  .map((roles) => roles.map((role) => `role:${role}`));
const openGrants = fc.constantFrom(["authenticated"], ["owner"], ["parent"]);

/** Grants of one operation at a level: mostly roles. */
function grantsAt(operation: string, isChild: boolean): fc.Arbitrary<readonly string[]> {
  const isPossible = ([grant = ""]: readonly string[]): boolean =>
    (grant !== "owner" || operation !== "create") && (grant !== "parent" || isChild);
  return fc.oneof(
    { weight: 4, arbitrary: roleGrants },
    { weight: 1, arbitrary: openGrants.filter(isPossible) },
  );
}

function accessAt(isChild: boolean): fc.Arbitrary<Access | null> {
  const operations = ["read", "create", "update", "delete"];
  const grants = operations.map((one) => [one, grantsAt(one, isChild)] as const);
  const access = fc.record(Object.fromEntries(grants), { requiredKeys: [] });
  return fc.option(
    access.filter((one) => Object.keys(one).length > 0),
    { nil: null, freq: 5 },
  );
}

/** Three levels of parents whose roles differ, for callers of some roles each, and one that has all of them. */
export const clinic: fc.Arbitrary<Clinic> = fc
  .record({
    access: fc.tuple(accessAt(false), accessAt(true), accessAt(true)),
    some: fc.array(fc.subarray([...ROLES]), { minLength: 2, maxLength: 3 }),
    place: fc.nat(3),
  })
  .map(({ access, some, place }) => ({
    files: clinicFiles(access),
    callers: some.toSpliced(Math.min(place, some.length), 0, [...ROLES]),
  }));
