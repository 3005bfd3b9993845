import { quoted } from "../quoted.js";

/** What can be wrong with generator.lock and with the files that it lists. */
export const OWNERSHIP = {
  "OWN-1": ({ path }: { path: string }) => `The generated file ${quoted(path)} was edited by hand.`,
  "OWN-2": () => "generator.lock cannot be trusted: this line is not a SHA-256 and a path.",
  "OWN-3": ({ path }: { path: string }) =>
    `The path ${quoted(path)} leads outside the project or through a symbolic link.`,
  "OWN-4": ({ path }: { path: string }) =>
    `A file that generator did not write stands at ${quoted(path)}, where a generated file belongs.`,
  "OWN-5": ({ holder, seconds }: { holder: string; seconds: number }) =>
    `Another run of generator (${holder}) still holds the lock after ${seconds} seconds.`,
  "OWN-6": ({ path }: { path: string }) =>
    `A directory or a special file stands at ${quoted(path)}, where a generated file belongs.`,
  "OWN-7": ({ made, current }: { made: string; current: string }) =>
    `The files here were written by generator ${made}, which is newer than this one (${current}).`,
  "OWN-8": () => "generator.lock holds the marks of a merge conflict.",
  "OWN-9": () => "generator.lock cannot be trusted: its first line does not name a version.",
  "OWN-10": ({ path }: { path: string }) =>
    `generator.lock lists ${quoted(path)}, which leads outside the project.`,
  "OWN-11": ({ path }: { path: string }) =>
    `generator.lock lists ${quoted(path)}, which is never generated.`,
  "OWN-12": ({ path }: { path: string }) =>
    `generator.lock lists ${quoted(path)} both as generated and as yours.`,
} as const;
