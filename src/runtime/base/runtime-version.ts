import { StartRefusal } from "./start-refusal.js";

/** The version of this package; generated code says for which one it was made. */
export const RUNTIME_VERSION = "0.1.0";

/** Throws `StartRefusal` for code that was generated for another version: what it imports promises nothing to it. */
export function checkMadeFor(version: string): void {
  if (version === RUNTIME_VERSION) return;
  throw new StartRefusal(
    `The code was generated for @rulebound/runtime ${version}, and ${RUNTIME_VERSION} is installed: run "npm install" ` +
      `to install what package.json asks for ("generator eject runtime --force" where that is runtime/), or "generator upgrade" of generator ${RUNTIME_VERSION} to bring the code to it`,
  );
}
