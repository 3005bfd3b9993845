import type { KindLimits } from "./kind-keywords.js";
import type { PropertyType } from "./kinds.js";
import type { PropertyModel, Value } from "./property-model.js";
import type { PropertyObjectYaml, PropertyYaml } from "./property-yaml.js";
import type { ReferenceTarget } from "./reference/reference-type.js";

/** Where a type stands, and what it holds: what a kind cannot know by itself. */
export interface TypeScope {
  /** `TicketDeliveryAddress` */
  readonly typeName: string;
  /** Within the files of its resource: `DeliveryAddress`. */
  readonly localName: string;
  readonly limits: KindLimits;
  /** It is the reference to the parent (CHD-2). */
  readonly isParent: boolean;
  /** The properties that stand in this type, in schema order. */
  properties(yaml: Readonly<Record<string, PropertyYaml>>): readonly PropertyModel[];
  /** The type of the items of an array, which are named like it. */
  items(yaml: PropertyYaml): PropertyType;
  /** What a reference leads to. */
  referred(yaml: PropertyObjectYaml): Referred;
}

/** What a reference leads to, here or in another service (REP-4). */
export interface Referred {
  /** The camelCase singular: `user`. */
  readonly singular: string;
  /** Null: another service keeps it. */
  readonly target: ReferenceTarget | null;
  /** A property of the other, as one that stands in the reference. */
  property(name: string): PropertyModel;
}

/** What the model asks of a kind: every default decided, nothing left to YAML. */
export interface KindModel<T> {
  /** The type that the keywords of a property make. */
  normalise(yaml: PropertyObjectYaml, scope: TypeScope): T;
  /** A default, an example or the value of a condition, in the one form that the service keeps it in. */
  normaliseValue(value: Value, type: T): Value;
}
