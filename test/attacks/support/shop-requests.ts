import type { Random } from "./random.js";
import {
  newFee,
  newMerchant,
  newMethod,
  newOrder,
  newShipment,
  newTicket,
  newUser,
  type Resource,
  type ShopIds,
} from "./shop-entities.js";

/** A request that a client of the shop may well send. */
export interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly body: object | null;
  /** What may be answered: others change and delete the same entities. */
  readonly statuses: readonly number[];
  /** The resource that it creates an entity of. */
  readonly creates?: Resource;
}

const API = "/api/v1";
const LISTS = [
  "/users?sort=lastName,firstName&pageSize=10",
  "/users?company=Harbour+Offices",
  "/users/private?pageSize=5",
  "/orders?status=placed&sort=-dueDate",
  "/orders?priority=2&priority=3&pageSize=50",
  "/orders?deliveryAddress.city=Galveston&pageNumber=2",
  "/orders/urgent",
  "/orders/duesoon",
  "/openorders?sort=priority",
  "/openorders/fortoday",
  "/merchantorders?pageSize=5",
  "/tickets?priority=3&sort=-closedDate",
  "/tickets/recentlyclosed",
  "/shipments?status=prepared",
  "/shipments/ontheway",
  "/shippingfees?state=TX&sort=amount",
  "/merchants?sort=name",
  "/communicationmethods?kind=phone",
];
const STATES = ["open", "pending", "closed"];

type Maker = (random: Random, ids: ShopIds) => ShopRequest;

/** How often each is sent: as often as it stands here. */
const MAKERS: readonly Maker[] = [
  (random) => get(random.of(LISTS), [200]),
  (random) => get(random.of(LISTS), [200]),
  (random, ids) => get(anyEntity(random, ids), [200, 404]),
  (random, ids) => get(anyEntity(random, ids), [200, 404]),
  (random, ids) => get(anyEntity(random, ids), [200, 404]),
  (random, ids) => get(`/users/${random.of(ids.users)}/communicationmethods`, [200, 404]),
  (random, ids) => get(`/orders/${random.of(ids.orders)}/shipments`, [200, 404]),
  (random) => get(random.of(["/openapi.json"]), [200]),
  () => post("users", "users", newUser(), [201]),
  () => post("merchants", "merchants", newMerchant(), [201, 403]),
  () => post("shippingfees", "shippingfees", newFee(), [201]),
  (random, ids) =>
    post(
      "orders",
      "orders",
      newOrder(random.of(ids.users), random.of(ids.merchants)),
      [201, 400, 409],
    ),
  (random, ids) =>
    post("tickets", "tickets", newTicket(random.of(ids.users), [random.of(ids.users)]), [201, 400]),
  (random, ids) =>
    post(
      "communicationmethods",
      `users/${random.of(ids.users)}/communicationmethods`,
      newMethod(),
      [201, 404],
    ),
  (random, ids) =>
    post("shipments", `orders/${random.of(ids.orders)}/shipments`, newShipment(), [201, 404]),
  (random, ids) =>
    change("PATCH", `/tickets/${random.of(ids.tickets)}`, { priority: 1 + random.below(5) }),
  (random, ids) =>
    change("PATCH", `/tickets/${random.of(ids.tickets)}`, { status: random.of(STATES) }),
  (random, ids) =>
    change("PATCH", `/orders/${random.of(ids.orders)}`, { note: `Ring ${random.below(9)} times.` }),
  (random, ids) => change("PATCH", `/orders/${random.of(ids.orders)}`, { status: "packed" }),
  (random, ids) => change("PUT", `/users/${random.of(ids.users)}`, newUser()),
  (random, ids) =>
    change("PATCH", `/merchants/${random.of(ids.merchants)}`, { rating: random.below(5) }),
  (random, ids) => change("DELETE", `/tickets/${random.of(ids.tickets)}`, null),
  (random, ids) => change("DELETE", `/shippingfees/${random.of(ids.shippingfees)}`, null),
  (random, ids) => change("DELETE", `/users/${random.of(ids.users)}`, null),
];

/** Any request of any operation, about entities that are there or were. */
export function shopRequest(random: Random, ids: ShopIds): ShopRequest {
  return random.of(MAKERS)(random, ids);
}

function get(path: string, statuses: readonly number[]): ShopRequest {
  return { method: "GET", path: `${API}${path}`, body: null, statuses };
}

function post(
  creates: Resource,
  path: string,
  body: object,
  statuses: readonly number[],
): ShopRequest {
  return { method: "POST", path: `${API}/${path}`, body, statuses, creates };
}

function change(method: string, path: string, body: object | null): ShopRequest {
  const done = body === null ? 204 : 200;
  return { method, path: `${API}${path}`, body, statuses: [done, 403, 404, 409] };
}

function anyEntity(random: Random, ids: ShopIds): string {
  const resource = random.of(Object.keys(ids) as Resource[]);
  return `/${resource}/${random.of(ids[resource])}`;
}
