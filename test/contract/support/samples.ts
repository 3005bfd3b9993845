import type { JsonObject } from "./client.js";

export const WIDGETS = "/api/v1/widgets";
export const BADGES = "/api/v1/badges";
export const LOGS = "/api/v1/logs";

/** A UUID that names nothing. */
export const MISSING = "0190a0a0-0000-7000-8000-000000000000";

/** Every property of a widget that can be updated, each with a value. */
export const FULL_WIDGET = {
  name: "drill",
  size: 12,
  weight: 1.5,
  price: "19.90",
  active: true,
  status: "open",
  tags: ["steel", "red"],
  note: "The small one.",
  email: "drill@example.com",
  pinCode: "1234",
  startDate: "2026-02-28T12:30:00.000Z",
  batch: "0190a0a0-1111-7000-8000-000000000000",
  deliveryAddress: {
    state: "Bavaria",
    city: "Hof",
    place: { floor: 3, doors: ["north", "south"] },
  },
  parts: [{ label: "chuck", amount: 1 }],
} as const satisfies JsonObject;

/** Every property of a widget that can be updated, each without a value. */
export const EMPTY_WIDGET = {
  name: "drill",
  size: null,
  weight: null,
  price: null,
  active: null,
  status: null,
  tags: [],
  note: null,
  email: null,
  pinCode: null,
  startDate: null,
  batch: null,
  deliveryAddress: null,
  parts: [],
} as const satisfies JsonObject;

/** What a badge cannot be created without. */
export function newBadge(serial: string): JsonObject {
  return { serial, addresses: ["one@example.com"], box: { width: 1 } };
}

/** The path of an entity that was answered. */
export function pathOf(collection: string, entity: JsonObject): string {
  const name = Object.keys(entity).find((key) => key.endsWith("Id"));
  return `${collection}/${String(entity[name ?? ""])}`;
}
