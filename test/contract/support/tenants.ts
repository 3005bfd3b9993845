import { expect } from "vitest";
import type { Answer, Json, JsonObject, Sent } from "./client.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./secured.js";
import type { TestService, Wanted } from "./service.js";

/** What tests do with the service of fixtures/tenants. */
export interface TenantsService {
  readonly service: TestService;
  /** A token with these claims. */
  readonly bearer: (sub: string, claims: JsonObject, roles?: string[]) => Promise<string>;
  /** A token of a tenant. */
  readonly ofTenant: (sub: string, tenant: Json, roles?: string[]) => Promise<string>;
  readonly sendAs: (
    token: string | null,
    request: readonly [string, string],
    body?: Sent["body"],
  ) => Promise<Answer>;
  /** Creates an entity, and returns it. */
  readonly made: (token: string, path: string, body: JsonObject) => Promise<JsonObject>;
  /** Creates one entity of each resource, which refer to each other, and returns their identifiers. */
  readonly filled: (
    token: string,
  ) => Promise<Record<"countries" | "products" | "customers" | "orders" | "parcels", string>>;
}

/** The service of fixtures/tenants, with its keys elsewhere. */
export async function startTenants(
  options: Pick<Wanted, "extension"> = {},
): Promise<TenantsService> {
  const keys = await newKeys("only");
  const { url } = await startKeyServer([keys.jwk]);
  const service = await startSecured(url, { ...options, tenant: "organisation.id" }, "tenants");
  const bearer: TenantsService["bearer"] = async (sub, claims, roles = ["clerk"]) =>
    tokenOf(keys, sub, roles, { claims: { ...claims } });
  const send: TenantsService["sendAs"] = async (token, request, body) =>
    sendAs(service, token, request, body);
  const made: TenantsService["made"] = async (token, path, body) => {
    const answer = await send(token, ["POST", `/api/v1/${path}`], body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };
  let last = 0;
  const filled: TenantsService["filled"] = async (token) => {
    last += 1;
    const { countryId = "" } = await made(token, "countries", { name: "Norway" });
    const { productId = "" } = await made(token, "products", { name: "Lamp", price: "2.50" });
    const contact = { name: "Anchor", email: `anchor${last}@example.com`, country: { countryId } };
    const { customerId = "" } = await made(token, "customers", contact);
    const order = { number: last, customer: { customerId }, day: "2026-01-02", note: "fragile" };
    const lines = [{ product: { productId }, count: 2 }];
    const { orderId = "" } = await made(token, "orders", { ...order, lines });
    const parcel = { label: `L${last}` };
    const { parcelId = "" } = await made(token, `orders/${orderId as string}/parcels`, parcel);
    return {
      countries: String(countryId),
      products: String(productId),
      customers: String(customerId),
      orders: String(orderId),
      parcels: String(parcelId),
    };
  };
  const ofTenant: TenantsService["ofTenant"] = async (sub, tenant, roles) =>
    bearer(sub, { organisation: { id: tenant } }, roles);
  return { service, bearer, ofTenant, sendAs: send, made, filled };
}
