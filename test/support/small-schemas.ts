import type { Schemas } from "./schema-walk.js";

/** What laws begin with that are tried thousands of times: small, with something of most kinds in it. */
export const SMALL: Schemas = {
  customers: {
    entity: "customer",
    properties: { name: { type: "string", maxLength: 100 }, visits: { type: "integer" } },
  },
  orders: {
    entity: "order",
    properties: {
      title: { type: "string", maxLength: 80, required: true },
      amount: { type: "integer", filterable: true },
      status: { enum: ["open", "closed"], required: true },
      customer: { reference: "customers" },
      address: { type: "object", properties: { street: { type: "string", maxLength: 60 } } },
    },
  },
};
