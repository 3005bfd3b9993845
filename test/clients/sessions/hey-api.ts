import assert from "node:assert/strict";
import {
  createClient,
  type Client,
} from "../../.services/clients/fixtures/contract/hey-api/client/index.js";
import {
  createOrder,
  createWidget,
  deleteWidget,
  listWidgets,
  readWidget,
  replaceWidget,
  updateOrder,
  updateWidget,
  type WidgetDto,
} from "../../.services/clients/fixtures/contract/hey-api/index.js";

/** Uses the service of fixtures/contract as @hey-api/openapi-ts sees it. Throws where an answer is another. */
export async function session(url: string): Promise<void> {
  const client = createClient({ baseUrl: `${url}/api/v1` });
  const widget = await createTwo(client);
  const path = { widgetId: widget.widgetId };
  await search(client, widget);
  await change(client, widget);
  await beRefused(client);
  const deleted = await deleteWidget({ client, path });
  assert.equal(deleted.response?.status, 204);
  const { error } = await readWidget({ client, path });
  assert.equal(error?.errors[0]?.type, "WidgetNotFoundMessage");
}

async function createTwo(client: Client): Promise<WidgetDto> {
  const body = { name: "drill", price: "19.9", tags: ["steel", "red"] };
  const { data: widget, response } = await createWidget({ client, body });
  assert.equal(response?.status, 201);
  assert.ok(widget !== undefined);
  assert.ok(response.headers.get("location")?.endsWith(`/widgets/${widget.widgetId}`));
  const price: string | null = widget.price;
  assert.equal(price, "19.90");
  await createWidget({ client, body: { name: "anvil", price: "99.00", status: "open" } });
  return widget;
}

async function search(client: Client, widget: WidgetDto): Promise<void> {
  const read = await readWidget({ client, path: { widgetId: widget.widgetId } });
  assert.deepEqual(read.data, widget);
  const sorted = await listWidgets({ client, query: { sort: ["-price", "name"], pageSize: 10 } });
  const names: string[] | undefined = sorted.data?.results.map(({ name }) => name);
  assert.deepEqual(names, ["anvil", "drill"]);
  const found = await listWidgets({
    client,
    query: { status: ["draft", "closed"], tags: ["red"] },
  });
  assert.deepEqual([found.data?.itemCount, found.data?.results], [1, [widget]]);
}

async function change(client: Client, widget: WidgetDto): Promise<void> {
  const path = { widgetId: widget.widgetId };
  const whole = { ...widget, status: "open", weight: 1.5 } as const;
  const replaced = await replaceWidget({ client, path, body: whole });
  assert.deepEqual([replaced.data?.status, replaced.data?.weight], ["open", 1.5]);
  const some = { weight: null, deliveryAddress: { state: "Bavaria" } };
  const patched = await updateWidget({ client, path, body: some });
  const state: string | null | undefined = patched.data?.deliveryAddress?.state;
  assert.deepEqual([patched.data?.weight, state], [null, "Bavaria"]);
}

/** What the types refuse, the service refuses; an error has the body that they say. */
async function beRefused(client: Client): Promise<void> {
  const { error } = await createWidget({
    client,
    // @ts-expect-error the name is required, and there is no such status
    body: { status: "broken" },
  });
  const [first] = error?.errors ?? [];
  assert.ok(first?.type === "ValidationFailedMessage" && "fields" in first);
  assert.deepEqual(first.fields?.map(({ field }) => field).sort(), ["name", "status"]);
  const { data: order } = await createOrder({ client, body: {} });
  const path = { orderId: order?.orderId ?? "" };
  const early = await updateOrder({ client, path, body: { status: "shipped" } });
  assert.equal(early.response?.status, 409);
  assert.equal(early.error?.errors[0]?.type, "InvalidOrderStateMessage");
}
