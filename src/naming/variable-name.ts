import reservedIdentifiers from "reserved-identifiers";

/** What emitted functions call their own parameters and variables. */
const TAKEN: ReadonlySet<string> = new Set([
  ...reservedIdentifiers({ includeGlobalProperties: true }),
  ...[
    "arguments",
    "async",
    "await",
    "body",
    "call",
    "collection",
    "common",
    "entity",
    "eval",
    "inner",
    "input",
    "item",
  ],
  ...[
    "kernel",
    "line",
    "page",
    "properties",
    "query",
    "registry",
    "row",
    "settings",
    "stored",
    "stores",
  ],
  ...["value"],
]);

/** The name as a variable of emitted code; one that would clash gets `suffix`: `call` -> `callEntity`. */
export function variableName(name: string, suffix: string): string {
  return TAKEN.has(name) ? name + suffix : name;
}
