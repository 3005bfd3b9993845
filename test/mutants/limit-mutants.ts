import { kernel, type Mutant } from "./mutant.js";

/** Faults of counting callers (LIM-2). */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  {
    rule: "LIM-2",
    service: "limited",
    file: kernel("http/count-caller"),
    find: "  limit.count(caller, request.ip);\n  return",
    replace: "  return",
    why: "callers are not counted",
  },
  {
    rule: "LIM-2",
    service: "limited",
    file: kernel("http/caller-limit"),
    find: 'headers: { "Retry-After": String(retryAfterSeconds) },',
    replace: "headers: {},",
    why: "nobody is told when to come again",
  },
  {
    rule: "LIM-2",
    service: "limited",
    file: kernel("http/health"),
    find: "isVital: true",
    replace: "isVital: false",
    why: "health is counted",
  },
];
