import assert from "node:assert/strict";
import { createClient as createV1 } from "../../.services/clients/fixtures/versions/client/v1/src/index.js";
import { createClient as createV2 } from "../../.services/clients/fixtures/versions/client/v2/src/index.js";

/** Uses both versions of the service of fixtures/versions in one program. Throws where an answer is another. */
export async function session(url: string): Promise<void> {
  const v1 = createV1({ baseUrl: url });
  const v2 = createV2({ baseUrl: url });
  const made = await v1.customers.create({ name: "Front", email: "desk@example.com" });
  const { fullName, language } = await v2.customers.read(made.customerId);
  assert.deepEqual([fullName, language], ["Front", "en"]);
  await v2.customers.update(made.customerId, { fullName: "Back" });
  const { name, fax } = await v1.customers.read(made.customerId);
  assert.deepEqual([name, fax], ["Back", null]);
}

/** What only the other version has does not compile. It is never called. */
export function mistakes(
  v1: ReturnType<typeof createV1>,
  v2: ReturnType<typeof createV2>,
  id: string,
) {
  return [
    // @ts-expect-error v1 calls it `name`
    v1.customers.update(id, { fullName: "x" }),
    // @ts-expect-error v2 calls it `fullName`
    v2.customers.update(id, { name: "x" }),
    // @ts-expect-error v2 calls them `bills`
    v2.invoices,
  ];
}
