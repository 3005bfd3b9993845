import { quoted } from "../quoted.js";

/** Mistakes in states, authentication and access. */
export const BEHAVIOUR = {
  "STA-1": ({ state }: { state: string }) =>
    `${quoted(state)} is not a state: the enum has no such value.`,
  "SCH-66": ({ name }: { name: string }) =>
    `The states refer to the property ${quoted(name)}, which does not exist.`,
  "SCH-67": ({ name }: { name: string }) =>
    `The states refer to the property ${quoted(name)}, which is not an enum.`,
  "SCH-68": ({ name }: { name: string }) =>
    `${quoted(name)} holds the state and is readOnly, so no request could change the state.`,
  "SCH-69": ({ state }: { state: string }) =>
    `The transitions have no entry for the state ${quoted(state)}.`,
  "SCH-70": ({ initial, unreached }: { initial: string; unreached: string }) =>
    `No sequence of transitions leads from ${quoted(initial)} to ${unreached}.`,
  "SCH-71": ({ value, initial }: { value: string; initial: string }) =>
    `The default is ${quoted(value)}, but the initial state is ${quoted(initial)}.`,

  "AUT-1": ({ key }: { key: string }) => `The scheme "bearer" needs ${quoted(key)}.`,
  "SCH-72": ({ key }: { key: string }) =>
    `${quoted(key)} applies to tokens, and the scheme "none" does not use tokens.`,
  "SCH-73": ({ key }: { key: string }) => `${quoted(key)} is empty.`,
  "SCH-74": ({ value }: { value: string }) =>
    `"roles" must be a path of claim names with dots between them; ${quoted(value)} is not.`,
  "SCH-75": ({ value }: { value: string }) =>
    `"keys" must be an https URL or a file inside the project; ${quoted(value)} is neither.`,
  "SCH-76": ({ value }: { value: string }) => `${quoted(value)} is not a valid URL.`,
  "SCH-77": () => "The URL contains a password, and schemas are published with the service.",
  "SCH-78": () => "The keys must be fetched over https: otherwise an attacker could replace them.",

  "SCH-222": ({ origin }: { origin: string }) =>
    `${quoted(origin)} is not the origin of a web page: an origin is like https://app.example.com.`,
  "SCH-438": ({ name }: { name: string }) => `${quoted(name)} is not the name of a time zone.`,

  "AUT-2": ({ grant }: { grant: string }) =>
    `Access cannot be granted to ${quoted(grant)}, which is not a known kind of caller.`,
  "SCH-79": () => 'Access cannot be granted to "parent": the resource has no parent.',
  "SCH-80": ({ grant }: { grant: string }) => `${quoted(grant)} is not a valid role.`,
  "SCH-81": () =>
    '"create" cannot be granted to "owner": an entity has no owner before it is created.',
  "SCH-230": ({ grant }: { grant: string }) =>
    `"create" cannot be granted to ${quoted(grant)}: conditions are about entities, and there is none yet.`,
  "SCH-82": ({ grant }: { grant: string }) =>
    `Access cannot be granted to ${quoted(grant)}: without authentication, all callers are anonymous.`,
  "SCH-440": ({ claim, other }: { claim: string; other: string }) =>
    `The tenant is named by one claim, and ${quoted(claim)} is another than ${quoted(other)}.`,
  "SCH-441": () =>
    "Entities of a tenant cannot be open to anyone: an anonymous caller has no tenant.",
  "SCH-442": ({
    name,
    reference,
    resource,
  }: {
    name: string;
    reference: string;
    resource: string;
  }) =>
    `${quoted(name)} refers to ${reference}, which belong to a tenant, and all tenants share ${resource}.`,
  "SCH-443": ({ older }: { older: string }) =>
    `All versions have the same tenant, and ${older} has another.`,
  "SCH-445": () =>
    "The resource cannot belong to a tenant: without authentication, no caller has one.",
  "SCH-446": ({ path }: { path: string }) =>
    `${quoted(path)} must lead to a string or an external reference, at most through one reference.`,
} as const;
