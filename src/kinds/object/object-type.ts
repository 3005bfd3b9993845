import type { PropertyModel } from "../property-model.js";
import type { PropertyYaml } from "../property-yaml.js";

/** An object of its own properties. */
export interface ObjectType {
  readonly kind: "object";
  /** `TicketDeliveryAddress` */
  readonly typeName: string;
  /** Within the files of its resource: `DeliveryAddress`, as in `readDeliveryAddress`. */
  readonly localName: string;
  readonly properties: readonly PropertyModel[];
}

/** The keywords of an object. */
export interface ObjectYaml {
  readonly properties?: Readonly<Record<string, PropertyYaml>>;
}
