import type { JsonObject } from "./client.js";
import { pathOf } from "./samples.js";
import type { TestService } from "./service.js";

export const CONVOYS = "/api/v1/convoys";
export const WAGONS = "/api/v1/wagons";

/** The path of the children of a convoy. */
export function under(convoy: JsonObject, children = "wagons"): string {
  return `${pathOf(CONVOYS, convoy)}/${children}`;
}

/** A reference to an entity: its identifier alone. */
export function refTo(entity: JsonObject, name: string): JsonObject {
  return { [name]: entity[name] ?? "" };
}

/** A convoy with as many wagons, labelled `w0`, `w1`, …. */
export async function newConvoy(
  service: TestService,
  count = 0,
): Promise<{ readonly convoy: JsonObject; readonly wagons: readonly JsonObject[] }> {
  const convoy = await service.create(CONVOYS, { name: "coal" });
  const wagons: JsonObject[] = [];
  for (let index = 0; index < count; index += 1) {
    wagons.push(await service.create(under(convoy), { label: `w${index}` }));
  }
  return { convoy, wagons };
}
