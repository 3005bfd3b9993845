import { kernel, type Mutant } from "./mutant.js";

/** Faults of counting callers (LIM-2). */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  {
    rule: "LIM-2",
    service: "limited",
    file: kernel("http/endpoint"),
    find: "    limit.count(caller, request.ip);\n    return",
    replace: "    return",
    why: "callers are not counted",
  },
  {
    rule: "LIM-2",
    service: "limited",
    file: kernel("base/errors"),
    find: 'headers: { "Retry-After": String(retryAfterSeconds) },\n  });\n}\n\n/** 431',
    replace: "headers: {},\n  });\n}\n\n/** 431",
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
