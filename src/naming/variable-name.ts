import reservedIdentifiers from "reserved-identifiers";

/** Names of parameters and variables in emitted functions. */
const VARIABLES =
  "body call children collection common entity inner input item runtime line next page properties query references registry " +
  "row settings stored stores value";

/** Names of the methods of an emitted controller, whose repository is a field beside them. */
const METHODS = "create list read replace update delete";

/** Functions of the runtime that are called where a variable is named after an entity. */
const FUNCTIONS =
  "created noContent ok quote quoteOrNull jsonCommonFields jsonItems bitOf bitOrNull scaledInteger scaledOrNull " +
  "jsonTextOrNull lookUp withItself";

const TAKEN: ReadonlySet<string> = new Set([
  ...reservedIdentifiers({ includeGlobalProperties: true }),
  ...["arguments", "async", "await", "eval"],
  ...[VARIABLES, METHODS, FUNCTIONS].flatMap((names) => names.split(" ")),
]);

/** The name as a variable of emitted code; one that would clash gets `suffix`: `call` -> `callEntity`. */
export function variableName(name: string, suffix: string): string {
  return TAKEN.has(name) ? name + suffix : name;
}
