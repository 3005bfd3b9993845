/** The package that makes services. */
export const GENERATOR = "@rulebound/generator";
/** The package that they run on. */
export const RUNTIME = "@rulebound/runtime";
/** The version of the module that emitted code imports. */
export const DOOR_VERSION = "v1";
/** What emitted code imports of the runtime: one module. */
export const DOOR = `${RUNTIME}/generated/${DOOR_VERSION}`;
