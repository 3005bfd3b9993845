/** The imports of a service's tests and tools, in addition to `test/generated/testing.ts`. */

export { migrationDigests } from "../store/migrations/folder.js";
export { resetDatabase } from "../testing/development-commands.js";
export { runValidate } from "../testing/test-app.js";
export {
  type GivenSamples,
  type Samples,
  type TestApp,
  type TestOptions,
  type TestSetup,
} from "../testing/test-app.js";
export { type Fake, type Given, type HookTest } from "../testing/test-app.js";
export { printToken } from "../testing/development-commands.js";
