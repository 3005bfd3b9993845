import { runtime, type Mutant } from "./mutant.js";

/** Faults of what bounds requests (LIM-1), and counts callers (LIM-2). */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  {
    rule: "LIM-1",
    service: "small-limits",
    file: runtime("http/server"),
    find: "      requestTimeout,\n",
    replace: "      requestTimeout: 60_000,\n",
    why: "a request that stops is waited for",
  },
  {
    rule: "LIM-2",
    service: "limited",
    file: runtime("http/rate-limit"),
    find: "  limit.count(caller, request.ip);\n  return",
    replace: "  return",
    why: "callers are not counted",
  },
  {
    rule: "LIM-2",
    service: "limited",
    file: runtime("http/rate-limit"),
    find: 'headers: { "Retry-After": String(retryAfterSeconds) },',
    replace: "headers: {},",
    why: "nobody is told when to come again",
  },
  {
    rule: "LIM-2",
    service: "limited",
    file: runtime("http/health"),
    find: "isVital: true",
    replace: "isVital: false",
    why: "health is counted",
  },
];
