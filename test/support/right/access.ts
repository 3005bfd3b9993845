import fc from "fast-check";
import { possibleAccess, randomAccess, type AccessYaml } from "../random-access.js";

/** Functions that give callers what they may see, as their author could write them. */
const SCOPES = [
  'scope: () => ({ createdSubject: "mine" }),',
  "scope: () => ({}),",
  "scope: () => null,",
  'scope: ({ roles }) => (roles.includes("clerk") ? {} : null),',
  'scope(caller) { return caller.roles.length > 1 ? {} : { createdSubject: "mine" }; },',
] as const;

/** Of a resource with states. */
const STATED = [
  'scope: () => ({ status: ["draft", "placed"] }),',
  'scope: ({ roles }) => ({ any: [{ createdSubject: "mine" }, { status: roles.includes("clerk") ? ["shipped"] : [] }] }),',
] as const;

/** Who may do what, and the function that says so where only code does. */
export interface Granted {
  readonly access: AccessYaml;
  readonly scope: string;
}

/** Access of a resource whose callers have names. */
export const granted = (isChild: boolean, hasStates: boolean): fc.Arbitrary<Granted> =>
  fc
    .record({
      access: randomAccess,
      scope: fc.constantFrom(...SCOPES, ...(hasStates ? STATED : [])),
    })
    .map(({ access, scope }) => {
      const possible = possibleAccess(access, isChild);
      const asks = Object.values(possible).some((grants) => grants?.includes("custom"));
      return { access: possible, scope: asks ? scope : "" };
    });
