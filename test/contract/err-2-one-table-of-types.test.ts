import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ERROR_TYPES } from "#runtime/base/errors";
import { serviceRuntime } from "../support/runtime.js";
import { serviceFolder } from "../support/service-folders.js";
import { expectError } from "./support/errors.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

/** Every type of the rule and its status. */
const RULE: readonly [number, string][] = [
  [400, "ValidationFailedMessage"],
  [400, "MalformedRequestMessage"],
  [401, "UnauthorizedMessage"],
  [403, "ForbiddenMessage"],
  [404, "<Entity>NotFoundMessage"],
  [404, "PathNotFoundMessage"],
  [404, "VersionNotFoundMessage"],
  [405, "MethodNotAllowedMessage"],
  [406, "NotAcceptableMessage"],
  [409, "Invalid<Entity>StateMessage"],
  [409, "<Entity>AlreadyExistsMessage"],
  [409, "<Entity>InUseMessage"],
  [409, "IdempotencyKeyReusedMessage"],
  [409, "IdempotencyKeyPendingMessage"],
  [410, "VersionRetiredMessage"],
  [412, "PreconditionFailedMessage"],
  [413, "PayloadTooLargeMessage"],
  [414, "UriTooLongMessage"],
  [415, "UnsupportedMediaTypeMessage"],
  [417, "ExpectationFailedMessage"],
  [428, "PreconditionRequiredMessage"],
  [429, "TooManyRequestsMessage"],
  [431, "HeadersTooLargeMessage"],
  [500, "InternalErrorMessage"],
  [501, "NotImplementedMessage"],
  [503, "ServiceUnavailableMessage"],
  [408, "TimeoutMessage"],
  [504, "TimeoutMessage"],
];

const folder = serviceFolder("contract");
const service = await startService();

async function emittedTable(): Promise<readonly (readonly [number, string])[]> {
  const { ERROR_TYPES: types } = await serviceRuntime<{ ERROR_TYPES: typeof ERROR_TYPES }>(
    "contract",
    "base/errors",
  );
  return Object.values(types).map(({ status, type }) => [status, type] as const);
}

test("the generated code has one table, and it is the rule's", async () => {
  // One type has several messages where it means several things.
  const words = (rows: readonly (readonly [number, string])[]) =>
    new Set(rows.map((row) => row.join(" ")));
  expect(words(await emittedTable())).toEqual(words(RULE));
  for (const [, type] of RULE) expect(type).toMatch(/Message$/);
});

test("the OpenAPI document knows no type that the table lacks", async () => {
  const document = readFileSync(join(folder, "openapi/v1.json"), "utf8");
  const named = new Set(document.match(/"[A-Za-z]+Message"/g)?.map((text) => text.slice(1, -1)));
  // The JSON of a document has the shape of OpenAPI, which test/golden has checked.
  const { components } = JSON.parse(document) as { components: { schemas: object } };
  const entities = Object.keys(components.schemas).map((name) => name.replace(/Dto$/, ""));
  const known = RULE.flatMap(([, type]) => entities.map((name) => type.replace("<Entity>", name)));
  expect([...named].filter((type) => !known.includes(type))).toEqual([]);
});

test("a type that names an entity names it in one word, and the message in words", async () => {
  const missing = await service.send("GET", "/api/v1/shippingfees/1");
  const { message } = expectError(missing, 404, "ShippingFeeNotFoundMessage");
  expect(message).toBe("The shipping fee was not found.");
});

test("a message is the same for a type, whatever its cause: the description tells the cause", async () => {
  const told = async (id: number) =>
    expectError(await service.send("GET", `${WIDGETS}/${id}`), 404, "WidgetNotFoundMessage");
  const [first, second] = [await told(1), await told(2)];
  expect(first.message).toBe(second.message);
  expect(first.description).not.toBe(second.description);
});
