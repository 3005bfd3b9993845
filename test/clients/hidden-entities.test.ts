import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../contract/support/service.js";
import { compiledModule } from "../support/compiled-module.js";
import { compiledClients } from "./generate-clients.js";

type Values = Readonly<Record<string, unknown>>;

/** What the test uses of the client, which is there only now. */
interface Generated {
  readonly createClient: (options: { baseUrl: string }) => {
    readonly customers: {
      readonly create: (body: object) => Promise<unknown>;
      readonly all: (query: object) => AsyncGenerator<{ readonly name: string }>;
    };
  };
}

const folder = await compiledClients("fixtures/versions", "hidden-entities");
const { customersV1ToV2: pair } = await compiledModule<{
  readonly customersV1ToV2: { toOlder: (newer: Values) => Values };
}>("versions", "custom/conversions/customers-v1-to-v2");
const service = await startService("versions");

test("all() goes on after a page without an entity that its version cannot show", async () => {
  const { createClient } = (await import(join(folder, "client/v1/dist/index.js"))) as Generated;
  const { customers } = createClient({ baseUrl: service.url });
  for (let hour = 1; hour <= 9; hour += 1) {
    const name = `at ${hour}`;
    await customers.create({ name, email: `at${hour}@example.com`, callMinutes: hour * 60 });
  }
  const { toOlder } = pair;
  onTestFinished(() => void Object.assign(pair, { toOlder }));
  // The conversion is corrected when the fifth entity is stored already.
  pair.toOlder = (newer) => (newer["callHour"] === 5 ? { callMinutes: 5000 } : toOlder(newer));
  const names: string[] = [];
  for await (const { name } of customers.all({ sort: ["createdDate"], pageSize: 5 })) {
    names.push(name);
  }
  expect(names).toEqual([1, 2, 3, 4, 6, 7, 8, 9].map((hour) => `at ${hour}`));
});
