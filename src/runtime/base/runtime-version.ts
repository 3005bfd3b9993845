import { StartRefusal } from "./start-refusal.js";

/** The version of this package. */
export const RUNTIME_VERSION = "0.1.0";

/** The modules for generated code in this version of the package: `v1` is `@rulebound/runtime/generated/v1`. */
export const GENERATED_DOORS: readonly string[] = ["v1"];

/** Throws `StartRefusal` for code that was generated for a module that this version does not have, or has no longer. */
export function checkMadeFor(door: string, doors: readonly string[] = GENERATED_DOORS): void {
  if (doors.includes(door)) return;
  throw new StartRefusal(
    `The code was generated for generated/${door} of @rulebound/runtime, and ${RUNTIME_VERSION} is installed, which has ${doors.join(", ")}: ` +
      `run "npm install" to install what package.json asks for ("generator eject runtime --force" where that is runtime/), ` +
      `or "generator upgrade" of generator ${RUNTIME_VERSION} to bring the code to it`,
  );
}
