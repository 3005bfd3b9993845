import { expectAnswer } from "./ask.js";

/** Identifiers of entities of the shop, by resource; whoever makes one adds it. */
export type ShopIds = Readonly<Record<Resource, string[]>>;

/** A resource of the shop whose entities are made by clients. */
export type Resource =
  | "users"
  | "merchants"
  | "orders"
  | "shipments"
  | "tickets"
  | "communicationmethods"
  | "shippingfees";

/** Who asks: a clerk may do everything, a customer not. */
export interface Tokens {
  readonly clerk: string;
  readonly customer: string;
}

let made = 0;

/** Different in every process and for every call: a unique value. */
export function uniqueNumber(): number {
  made += 1;
  return (process.pid % 100) * 1_000_000 + (made % 1_000_000);
}

/** A text that no other call of any process of the run gets. */
export function uniqueName(): string {
  return `${process.pid.toString(36)}-${Date.now().toString(36)}-${(made += 1)}`;
}

/** Every property, as a PUT needs it. */
export const newUser = (): object => ({
  firstName: "Front",
  lastName: "Desk",
  email: `desk-${uniqueName()}@example.com`,
  emailAddresses: ["second@example.com"],
  company: null,
  birthday: null,
});

export const newMerchant = (): object => ({ name: `Harbour Prints ${uniqueName()}`, rating: 4.5 });

export const newOrder = (userId: string, merchantId: string): object => ({
  number: `SO-${String(uniqueNumber()).padStart(8, "0").slice(-8)}`,
  customer: { userId },
  merchant: { merchantId },
  recipient: "Front Desk",
  items: [{ product: "Postcard", quantity: 100, price: "0.35", colour: "navyBlue" }],
  price: "39.90",
  deliveryAddress: { street: "1 Harbour Road", city: "Galveston", state: "TX" },
  dueDate: "2026-09-15T10:30:00.000Z",
  tags: ["printed"],
});

export const newTicket = (userId: string, watchers: readonly string[] = []): object => ({
  title: "Half of the postcards are missing",
  body: "They were packed on Monday.",
  requester: { userId },
  watchers: watchers.map((watcher) => ({ userId: watcher })),
});

export const newMethod = (): object => ({ kind: "phone", address: "+1 555 0100" });

export const newShipment = (): object => ({ trackingNumber: `1Z-${uniqueName()}`, weight: 1.25 });

export const newFee = (): object => ({ state: "TX", atMost: 5, amount: "4.90" });

/** Creates an entity that must be accepted; returns its identifier. */
export async function create(
  port: number,
  token: string,
  path: string,
  body: object,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const entity = await expectAnswer(
    port,
    { method: "POST", path: `/api/v1/${path}`, headers, body },
    201,
  );
  // Every entity begins with its identifier (IDN-2).
  return String(Object.values(entity)[0]);
}

/** Some entities of every resource. */
export async function fillShop(port: number, { clerk }: Tokens, count = 10): Promise<ShopIds> {
  const ids: ShopIds = {
    ...{ users: [], merchants: [], orders: [], shipments: [], tickets: [] },
    ...{ communicationmethods: [], shippingfees: [] },
  };
  for (let index = 0; index < count; index += 1) {
    const user = await create(port, clerk, "users", newUser());
    const merchant = await create(port, clerk, "merchants", newMerchant());
    const order = await create(port, clerk, "orders", newOrder(user, merchant));
    ids.users.push(user);
    ids.merchants.push(merchant);
    ids.orders.push(order);
    ids.tickets.push(await create(port, clerk, "tickets", newTicket(user, [user])));
    ids.shipments.push(await create(port, clerk, `orders/${order}/shipments`, newShipment()));
    const methods = `users/${user}/communicationmethods`;
    ids.communicationmethods.push(await create(port, clerk, methods, newMethod()));
    ids.shippingfees.push(await create(port, clerk, "shippingfees", newFee()));
  }
  return ids;
}
