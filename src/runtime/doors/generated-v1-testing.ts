/** The imports of a service's generated tests, version 1. */

export { bearerCredentials } from "../testing/credentials.js";
export { contractTests } from "../testing/contract-tests.js";
export { runValidate } from "../testing/test-app.js";
export {
  type GivenSamples,
  startTestApp,
  type TestApp,
  type TestOptions,
  type TestSetup,
} from "../testing/test-app.js";
export { fakeOf, fakeSql, type Given, hookTest } from "../testing/test-app.js";
