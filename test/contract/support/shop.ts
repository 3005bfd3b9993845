import type { Client, JsonObject } from "./client.js";

export const ORDERS = "/api/v1/orders";

/** What orders refer to. */
export interface Parties {
  readonly customer: { readonly userId: string };
  readonly merchant: { readonly merchantId: string };
}

let made = 0;

/** A new user and a new merchant. */
export async function newParties(shop: Client): Promise<Parties> {
  made += 1;
  const email = `ada${made}@example.com`;
  const { userId } = await shop.create("/api/v1/users", { firstName: "Front", email });
  const merchant = { name: `Harbour Prints ${made}` };
  const { merchantId } = await shop.create("/api/v1/merchants", merchant);
  return {
    customer: { userId: String(userId) },
    merchant: { merchantId: String(merchantId) },
  };
}

/** Every property of an order that can be updated, each with a value. */
function fullOrder(parties: Parties): JsonObject {
  return {
    ...(parties as { readonly [Name in keyof Parties]: JsonObject }),
    status: "placed",
    recipient: "Front Desk",
    email: "desk@example.com",
    items: [{ product: "Postcard", quantity: 100, price: "0.35", colour: "navyBlue" }],
    price: "39.90",
    priority: 2,
    deliveryAddress: {
      street: "1 Harbour Road",
      city: "Galveston",
      state: "TX",
      entrance: { floor: 2, code: "1234" },
    },
    dueDate: "2026-02-28T12:30:00.000Z",
    giftWrapped: true,
    note: "Ring twice.",
    tags: ["printed", "urgent"],
  };
}

/** The same, with a number that no other order of the run has. */
export function newOrder(parties: Parties): JsonObject {
  made += 1;
  return { ...fullOrder(parties), number: `SO-${10_000 + made}` };
}
