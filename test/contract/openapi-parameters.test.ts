import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { OpenApiOracle, type Operation } from "./support/openapi-oracle.js";
import { list, object } from "./support/openapi-parts.js";
import { newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const document = await service.read("/api/v1/openapi.json");
const oracle = new OpenApiOracle(document);
const schemas = object(object(document["components"])["schemas"]);
const secured = await startService("secured");

/** A parameter of an operation, whatever it refers to. */
function parameter({ operation }: Operation, name: string): JsonObject | undefined {
  const all = list(operation["parameters"] ?? []).map((one) => oracle.resolve(object(one)));
  return all.find((one) => one["name"] === name);
}

function schemaOf(operation: Operation, name: string): JsonObject {
  return oracle.resolve(object(parameter(operation, name)?.["schema"]));
}

function operationAt(method: string, path: string): Operation {
  const found = oracle.operations.find((one) => one.method === method && one.path === path);
  if (found === undefined) throw new Error(`${method} ${path} is not there`);
  return found;
}

async function status(query: string): Promise<number> {
  return (await service.send("GET", `${WIDGETS}?${query}`)).status;
}

test("a list takes what the bounds of its parameters allow, and nothing beyond", async () => {
  const listed = operationAt("GET", WIDGETS);
  const { maximum } = schemaOf(listed, "pageNumber") as { readonly maximum: number };
  expect(await status(`pageNumber=${maximum}`)).toBe(200);
  expect(await status(`pageNumber=${maximum + 1}`)).toBe(400);
  const { maxItems } = schemaOf(listed, "name") as { readonly maxItems: number };
  const names = (count: number): string => Array.from({ length: count }, () => "name=a").join("&");
  expect(await status(names(maxItems))).toBe(200);
  expect(await status(names(maxItems + 1))).toBe(400);
  const sort = schemaOf(listed, "sort");
  const ascending = list(object(sort["items"])["enum"]).filter(
    (one) => !String(one).startsWith("-"),
  );
  expect([ascending.length, sort["uniqueItems"]]).toEqual([sort["maxItems"], true]);
  expect(await status(`sort=${ascending.join(",")}`)).toBe(200);
  expect(await status(`sort=${[...ascending, ascending[0]].join(",")}`)).toBe(400);
});

test.each([
  ["k".repeat(255), 201],
  ["k".repeat(256), 400],
  [`"${'\\"'.repeat(255)}"`, 201],
  [`"${"k".repeat(256)}"`, 400],
  ['"', 400],
  ["\\bare", 201],
  ['"\\bare"', 400],
])("an Idempotency-Key is judged as the document says: %.12s is %d", async (key, wanted) => {
  const schema = schemaOf(operationAt("POST", WIDGETS), "Idempotency-Key");
  const headers = { "idempotency-key": key };
  const answer = await service.send("POST", WIDGETS, { headers, body: { name: "drill" } });
  expect([answer.status, oracle.fits(schema, key)]).toEqual([wanted, wanted === 201]);
});

test("an operation that can be 412 takes the headers that make it so", async () => {
  const failing = oracle.operations.filter(
    ({ operation }) => object(operation["responses"])["412"] !== undefined,
  );
  expect(failing.length).toBeGreaterThan(20);
  for (const operation of failing) {
    const names = ["If-Match", "If-None-Match"].filter((name) => parameter(operation, name));
    expect(names, `${operation.method} ${operation.path}`).toEqual(["If-Match", "If-None-Match"]);
  }
  const path = pathOf(WIDGETS, await service.create(WIDGETS, { name: "drill" }));
  const other = { headers: { "if-match": '"9"' } };
  expect((await service.send("GET", path, other)).status).toBe(412);
  const none = { headers: { "if-none-match": "*" }, body: { size: 1 } };
  expect((await service.send("PATCH", path, none)).status).toBe(412);
});

test("what is set once says so in each body", () => {
  const { channel } = object(object(schemas["BookingUpdateDto"])["properties"]) as Record<
    string,
    Json
  >;
  expect(object(channel)["description"]).toBe(
    "Set when it is created: an update with another value is refused.",
  );
});

test("an identifier in an answer is in lower case by its schema, and one that is sent need not be", async () => {
  const badge = await service.create("/api/v1/badges", newBadge("lower"));
  const { badgeId } = object(schemas["BadgeDto"])["properties"] as Record<string, JsonObject>;
  const id = String(badge["badgeId"]);
  const schema = badgeId ?? {};
  expect([oracle.fits(schema, id), oracle.fits(schema, id.toUpperCase())]).toEqual([true, false]);
  const upper = `/api/v1/badges/${id.toUpperCase()}`;
  expect((await service.send("GET", upper)).json["badgeId"]).toBe(id);
});

test.each([
  // Nothing in the answer depends on who asks.
  ["get", "/notices", []],
  // What is the caller's own is found, or whoever creates and changes is recorded.
  ["get", "/memos/mine", [{}, { bearerAuth: [] }]],
  ["post", "/memos", [{}, { bearerAuth: [] }]],
  ["patch", "/pamphlets/{pamphletId}", [{}, { bearerAuth: [] }]],
  ["post", "/notices", [{ bearerAuth: [] }]],
] as const)(
  "%s %s says whether a token is needed, and may be refused for one that is wrong",
  async (method, path, wanted) => {
    const { paths } = await secured.read("/api/v1/openapi.json");
    const { security, responses } = object(object(object(paths)[path])[method]);
    expect(security).toEqual(wanted);
    expect(object(responses)).toHaveProperty("401");
  },
);

test("the servers of the document have the path of BASE_URL, as the URLs in answers do", async () => {
  const behind = await startService("contract", { baseUrl: "https://example.com/desk" });
  const { servers } = await behind.read("/api/v1/openapi.json");
  expect(servers).toEqual([{ url: "/desk/api/v1" }]);
  const { headers } = await behind.send("POST", "/api/v1/widgets", { body: { name: "drill" } });
  expect(headers.location).toContain("https://example.com/desk/api/v1/widgets/");
});
