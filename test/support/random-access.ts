import fc from "fast-check";

/** What a schema can say of access. */
export type AccessYaml = Readonly<
  Partial<Record<"read" | "create" | "update" | "delete", readonly string[]>>
>;

const GRANTS = ["anyone", "authenticated", "owner", "parent", "custom", "role:clerk", "role:admin"];
const grants = fc.subarray(GRANTS, { minLength: 1 });

/** Any grants for some of the operations, also those that a resource may not be able to give. */
export const randomAccess: fc.Arbitrary<AccessYaml> = fc.record(
  { read: grants, create: grants, update: grants, delete: grants },
  { requiredKeys: [] },
);

/** Callers of any service that has access. */
export const AUTHENTICATION = {
  scheme: "bearer",
  issuer: "https://login.example.com/",
  audience: "random",
  keys: "https://login.example.com/jwks.json",
};

/** What is left of it: nothing is created by its owner or by conditions on it, and only a child has a parent. */
export function possibleAccess(given: AccessYaml, isChild: boolean): AccessYaml {
  const entries = Object.entries(given).map(([operation, all]) => {
    const possible = all.filter(
      (grant) =>
        (!["owner", "custom"].includes(grant) || operation !== "create") &&
        (grant !== "parent" || isChild),
    );
    return [operation, possible.length === 0 ? ["role:clerk"] : possible] as const;
  });
  return Object.fromEntries(entries);
}
