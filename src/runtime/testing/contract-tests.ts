import { after, before } from "node:test";

import { deleteTests, replaceTests, updateTests } from "./change-tests.js";
import { Client } from "./client.js";
import { bodyTests, createTests, uniqueTests } from "./create-tests.js";
import { headersWith } from "./credentials.js";
import type { TestParts } from "./parts.js";
import { preconditionTests } from "./precondition-tests.js";
import { listTests, readTests } from "./read-tests.js";
import { refusalTests } from "./refusal-tests.js";
import { canCreate, type ResourceFacts } from "./resource-facts.js";
import { CREATOR, type Suite } from "./suite.js";
import { withSamples } from "./samples.js";
import { startTestApp, type TestApp, type TestSetup } from "./test-app.js";
import { unlimited } from "./unlimited.js";

/** Tests of the contract on one resource of this service: real HTTP, a real database, each rule by its name. */
export function contractTests<Provided extends object, OwnContext extends object>(
  { app, samples, roles, ...setup }: TestSetup<Provided, OwnContext>,
  generated: ResourceFacts,
  { bearer, child, paths, actions }: TestParts = {},
): void {
  const facts = withSamples(generated, samples);
  const named = bearer?.rolesOf(facts) ?? [];
  let service: TestApp<Provided, OwnContext>;
  let client: Client;
  before(async () => {
    service = await startTestApp({ app: unlimited(app), ...setup });
    const headers = await headersOf({ subject: CREATOR, roles: named });
    client = new Client(service.url, facts, headers);
  });
  after(async () => service.close());
  const headersOf = headersWith((caller) => service.headersOf(caller), roles ?? [], named);
  const { pretty } = app.registry.settings;
  const suite: Suite = { facts, pretty, client: () => client, headersOf };
  if (canCreate(facts)) {
    createTests(suite);
    bodyTests(suite);
    uniqueTests(suite);
  }
  if (facts.parent !== null && canCreate(facts)) child?.(suite, facts.parent);
  for (const above of facts.listedUnder ?? []) {
    if (canCreate(facts) && canCreate(above.facts())) paths?.(suite, above);
  }
  if (facts.operations.includes("list")) listTests(suite);
  if (facts.operations.includes("read")) readTests(suite);
  if (facts.operations.includes("replace")) replaceTests(suite);
  if (facts.operations.includes("update")) updateTests(suite);
  if (facts.operations.includes("delete")) deleteTests(suite);
  actions?.(suite, facts.actions ?? []);
  preconditionTests(suite);
  refusalTests(suite);
  bearer?.accessTests(suite);
}
