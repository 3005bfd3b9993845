import { quoted } from "../quoted.js";

/** Mistakes in versions and their status, and edits that break a published one. */
export const PUBLISHING = {
  "VER-3": (given: { resource: string; version: string; whom: string; kind: string }) =>
    `This edit of ${given.resource} breaks ${given.whom}, and ${given.version} is published (${given.kind}).`,
  "VER-4": ({ version, status, path }: { version: string; status: string; path: string }) =>
    `${version} is ${status}, but its published contract is missing: ${path}.`,
  "SCH-150": () => "A deprecated version needs the date from which it is deprecated.",
  "SCH-151": ({ key, date }: { key: string; date: string }) =>
    `${quoted(key)} is ${quoted(date)}, which is not a date of the calendar.`,
  "SCH-152": ({ deprecated, sunset }: { deprecated: string; sunset: string }) =>
    `The version would be gone (${sunset}) before it is deprecated (${deprecated}).`,
  "SCH-153": ({ key, status }: { key: string; status: string }) =>
    `${quoted(key)} has no meaning for a version that is ${status}.`,
  "SCH-154": ({ path }: { path: string }) =>
    `${quoted(path)} is not a contract as "generator publish" writes it.`,
  "SCH-155": ({ path }: { path: string }) =>
    `${quoted(path)} was edited by hand, although it is the contract that clients rely on.`,
  "SCH-156": () => "Every version is retired, so that the service would serve nothing.",
  "SCH-157": ({ version }: { version: string }) =>
    `${version} was published, and cannot be a draft again: clients rely on it.`,
  "SCH-158": ({ version }: { version: string }) =>
    `${version} was published, but service.yaml no longer lists it.`,
} as const;
