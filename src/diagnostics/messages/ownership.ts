import { quoted } from "../quoted.js";

/** Problems with generator.lock and with the files that it lists. */
export const OWNERSHIP = {
  "OWN-1": ({ path }: { path: string }) => `The generated file ${quoted(path)} was edited by hand.`,
  "OWN-2": () => "generator.lock is damaged: this line is not a SHA-256 and a path.",
  "OWN-3": ({ path }: { path: string }) =>
    `The path ${quoted(path)} leads outside the project or through a symbolic link.`,
  "OWN-4": ({ path }: { path: string }) =>
    `A generated file belongs at ${quoted(path)}, but the file there was not written by the generator.`,
  "OWN-5": ({ holder, seconds }: { holder: string; seconds: number }) =>
    `Another run of generator (${holder}) still holds the lock after ${seconds} seconds.`,
  "OWN-6": ({ path }: { path: string }) =>
    `A generated file belongs at ${quoted(path)}, but a directory or a special file is there.`,
  "OWN-7": ({ made, current }: { made: string; current: string }) =>
    `These files were written by generator ${made}, which is newer than this one (${current}).`,
  "OWN-8": () => "generator.lock contains merge conflict markers.",
  "OWN-9": () => "generator.lock is damaged: its first line does not name a version.",
  "OWN-10": ({ path }: { path: string }) =>
    `generator.lock lists ${quoted(path)}, which is outside the project.`,
  "OWN-11": ({ path }: { path: string }) =>
    `generator.lock lists ${quoted(path)}, which is never generated.`,
  "OWN-12": ({ path }: { path: string }) =>
    `generator.lock lists ${quoted(path)} both as generated and as yours.`,
  "OWN-13": ({ size, most }: { size: number; most: number }) =>
    `generator.lock has ${size} characters, and at most ${most} are read.`,
  "OWN-14": ({ installed, wanted }: { installed: string; wanted: string }) =>
    `@rulebound/runtime ${installed} is installed, and the generated code is for ${wanted}.`,
  "OWN-15": () =>
    ".rulebound/journal is not one that a run has left, or texts that it lists are missing: it was removed.",
  "OWN-16": ({ folder }: { folder: string }) =>
    `The folder ${quoted(folder)} is in git, and what the generator remembers belongs to one machine.`,
} as const;
