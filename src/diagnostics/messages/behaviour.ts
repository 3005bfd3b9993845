import { quoted } from "../quoted.js";

/** What can be wrong with states, authentication and access. */
export const BEHAVIOUR = {
  "STA-1": ({ state }: { state: string }) => `There is no state ${quoted(state)} in the enum.`,
  "SCH-66": ({ name }: { name: string }) =>
    `The states are those of ${quoted(name)}, and there is no such property.`,
  "SCH-67": ({ name }: { name: string }) =>
    `The states are those of ${quoted(name)}, and that is not an enum.`,
  "SCH-68": ({ name }: { name: string }) =>
    `The state is kept in ${quoted(name)}, which is readOnly, so that no request could change it.`,
  "SCH-69": ({ state }: { state: string }) =>
    `The transitions do not say which states can follow ${quoted(state)}.`,
  "SCH-70": ({ initial, unreached }: { initial: string; unreached: string }) =>
    `No transition leads from ${quoted(initial)} to ${unreached}.`,
  "SCH-71": ({ value, initial }: { value: string; initial: string }) =>
    `The default is ${quoted(value)}, and the initial state is ${quoted(initial)}.`,

  "AUT-1": ({ key }: { key: string }) => `The scheme "bearer" needs ${quoted(key)}.`,
  "SCH-72": ({ key }: { key: string }) =>
    `${quoted(key)} is about tokens, and the scheme "none" has none.`,
  "SCH-73": ({ key }: { key: string }) => `${quoted(key)} is empty.`,
  "SCH-74": ({ value }: { value: string }) =>
    `The roles are at a path of claims with dots between them, and ${quoted(value)} is not one.`,
  "SCH-75": ({ value }: { value: string }) =>
    `The keys are at an https URL or in a file inside the project, and ${quoted(value)} is neither.`,
  "SCH-76": ({ value }: { value: string }) => `${quoted(value)} is not a URL.`,
  "SCH-77": () => "The URL holds a password, and what stands in a schema is published.",
  "SCH-78": () => "The keys must come over https: on any other way, somebody could replace them.",

  "AUT-2": ({ grant }: { grant: string }) =>
    `Access cannot be given to ${quoted(grant)}: there is no such caller.`,
  "SCH-79": () => 'Access cannot be given to "parent": the resource has no parent.',
  "SCH-80": ({ grant }: { grant: string }) => `${quoted(grant)} does not name a role.`,
  "SCH-81": () => 'Access to create cannot be given to "owner": before a create there is none.',
  "SCH-82": ({ grant }: { grant: string }) =>
    `Access cannot be given to ${quoted(grant)}: without authentication, callers have no names.`,
} as const;
