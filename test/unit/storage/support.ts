import { stringify } from "yaml";
import type { StorageModel } from "#runtime/store/storage-model";
import { storageModel } from "../../../src/storage/storage-model.js";
import { renderValid, type Texts } from "../../support/render-files.js";

/** What a test says of a resource: the keywords of its file. */
export type Yaml = Readonly<Record<string, unknown>>;

/** The files of a service with one resource, `orders`, and `customers` for it to refer to. */
export function ordersProject(properties: Yaml, keywords: Yaml = {}): Texts {
  const customers = { resource: "customers", entity: "customer", properties: { name: "string" } };
  const orders = { resource: "orders", entity: "order", ...keywords, properties };
  return {
    "service.yaml": "service: sample\n",
    "resources/v1/customers.yaml": stringify(customers),
    "resources/v1/orders.yaml": stringify(orders),
  };
}

/** What such a service stores. */
export async function ordersStorage(properties: Yaml, keywords: Yaml = {}): Promise<StorageModel> {
  const { model } = await renderValid(ordersProject(properties, keywords));
  return storageModel(model);
}
