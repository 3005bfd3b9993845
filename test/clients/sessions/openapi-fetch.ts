import assert from "node:assert/strict";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "../../.services/clients/fixtures/contract/schema.js";

type Widget = components["schemas"]["WidgetDto"];

const WHAT = "/widgets/{widgetId}";
/** `sort` is one parameter with commas, which openapi-fetch does not read from the document. */
const COMMAS = { array: { style: "form", explode: false } } as const;

/** Uses the service of fixtures/contract as openapi-typescript and openapi-fetch see it. Throws where an answer is another. */
export async function session(url: string): Promise<void> {
  const client = createClient<paths>({ baseUrl: `${url}/api/v1` });
  const widget = await createTwo(client);
  await search(client, widget);
  await change(client, widget);
  await beRefused(client);
  const params = { path: { widgetId: widget.widgetId } };
  const deleted = await client.DELETE(WHAT, { params });
  assert.equal(deleted.response.status, 204);
  const { error } = await client.GET(WHAT, { params });
  assert.equal(error?.errors[0]?.type, "WidgetNotFoundMessage");
}

async function createTwo(client: Client<paths>): Promise<Widget> {
  const body = { name: "drill", price: "19.9", tags: ["steel", "red"] };
  const created = await client.POST("/widgets", { body });
  assert.equal(created.response.status, 201);
  assert.ok(created.data !== undefined);
  const { data: widget } = created;
  const where = created.response.headers.get("location") ?? "";
  assert.ok(where.endsWith(`/widgets/${widget.widgetId}`));
  const price: string | null = widget.price;
  assert.equal(price, "19.90");
  await client.POST("/widgets", { body: { name: "anvil", price: "99.00", status: "open" } });
  return widget;
}

async function search(client: Client<paths>, widget: Widget): Promise<void> {
  const read = await client.GET(WHAT, { params: { path: { widgetId: widget.widgetId } } });
  assert.deepEqual(read.data, widget);
  const sorted = await client.GET("/widgets", {
    params: { query: { sort: ["-price", "name"], pageSize: 10 } },
    querySerializer: COMMAS,
  });
  const names: string[] | undefined = sorted.data?.results.map(({ name }) => name);
  assert.deepEqual(names, ["anvil", "drill"]);
  const found = await client.GET("/widgets", {
    params: { query: { status: ["draft", "closed"], tags: ["red"] } },
  });
  assert.deepEqual([found.data?.itemCount, found.data?.results], [1, [widget]]);
}

async function change(client: Client<paths>, widget: Widget): Promise<void> {
  const params = { path: { widgetId: widget.widgetId } };
  const whole = { ...widget, status: "open", weight: 1.5 } as const;
  const replaced = await client.PUT(WHAT, { params, body: whole });
  assert.deepEqual([replaced.data?.status, replaced.data?.weight], ["open", 1.5]);
  const patched = await client.PATCH(WHAT, {
    params,
    body: { weight: null, deliveryAddress: { state: "Bavaria" } },
  });
  const state: string | null | undefined = patched.data?.deliveryAddress?.state;
  assert.deepEqual([patched.data?.weight, state], [null, "Bavaria"]);
}

/** What the types refuse, the service refuses; an error has the body that they say. */
async function beRefused(client: Client<paths>): Promise<void> {
  const { error } = await client.POST("/widgets", {
    // @ts-expect-error the name is required, and there is no such status
    body: { status: "broken" },
  });
  const [first] = error?.errors ?? [];
  assert.ok(first?.type === "ValidationFailedMessage" && "fields" in first);
  assert.deepEqual(first.fields?.map(({ field }) => field).sort(), ["name", "status"]);
  const order = await client.POST("/orders", { body: {} });
  const orderId = order.data?.orderId ?? "";
  const early = await client.PATCH("/orders/{orderId}", {
    params: { path: { orderId } },
    body: { status: "shipped" },
  });
  assert.equal(early.response.status, 409);
  assert.equal(early.error?.errors[0]?.type, "InvalidOrderStateMessage");
}
