import type { ResourceName } from "../naming/resource-name.js";
import type { AccessModel } from "./access-model.js";
import type { EntityModel } from "./entity-model.js";
import type { ResourceModel } from "./resource-model.js";

/** Everything that is emitted, decided: no absent values, no text to be printed, no YAML. */
export interface ServiceModel {
  /** `helpdesk` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `Apache-2.0`; null where service.yaml names none. */
  readonly license: string | null;
  /** `/api`, without a trailing slash. */
  readonly basePath: string;
  /** IDN-3 */
  readonly identifiers: "ordered" | "random";
  /** REP-5 */
  readonly pretty: boolean;
  readonly limits: Limits;
  readonly authentication: AuthenticationModel;
  /** What is stored, ascending by name; no version has a part in it. */
  readonly entities: readonly EntityModel[];
  /** Ascending by number. */
  readonly versions: readonly VersionModel[];
}

/** How callers are known (AUT-1). */
export type AuthenticationModel =
  | { readonly scheme: "none" }
  | {
      readonly scheme: "bearer";
      readonly issuer: string;
      readonly audience: string;
      /** A URL, or a file. */
      readonly keys: string;
      /** The dotted path of the roles in a token. */
      readonly roles: string;
    };

/** LIM-1, LIM-2: of one request, and of one process. */
export interface RequestLimits {
  readonly bodyBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly requestSeconds: number;
  readonly jsonDepth: number;
  readonly arrayItems: number;
  readonly stringCharacters: number;
  readonly pageBytes: number;
  readonly receivingBytes: number;
  readonly sendingBytes: number;
  /** Worked on at a time. */
  readonly concurrentRequests: number;
}

/** LIM-1, LIM-2 */
export interface Limits extends RequestLimits {
  /** Of one caller; null: any number. */
  readonly requestsPerMinute: number | null;
}

/** VER-1 */
export interface VersionModel {
  /** `v1` */
  readonly name: string;
  readonly status: "draft";
  /** Ascending by name. */
  readonly resources: readonly ResourceModel[];
}

/** A property at any depth. */
export interface PropertyModel {
  readonly name: string;
  /** From the root of the entity, or of the resource: `deliveryAddress.state`. */
  readonly path: string;
  readonly description: string;
  readonly type: PropertyType;
  /** REP-2: `required` in YAML; arrays are never null either. */
  readonly nullable: boolean;
  readonly default: Value | null;
  readonly example: Value | null;
  readonly deprecated: boolean;
  readonly filterable: boolean;
  readonly sortable: boolean;
  readonly unique: boolean;
  readonly readOnly: boolean;
  readonly immutable: boolean;
  readonly sensitive: boolean;
}

/** A JSON value. */
export type Value =
  string | number | boolean | readonly Value[] | { readonly [name: string]: Value | null };

/** What a property holds; only `kinds/` switches on it. */
export type PropertyType =
  | StringType
  | EnumType
  | IntegerType
  | NumberType
  | DecimalType
  | BooleanType
  | TimestampType
  | UuidType
  | ObjectType
  | ReferenceType
  | ArrayType;

/** Text; lengths count code points. */
export interface StringType {
  readonly kind: "string";
  readonly minLength: number;
  readonly maxLength: number;
  /** Source of a linear-time regular expression (flag `u`), or null. */
  readonly pattern: string | null;
  readonly format: StringFormat | null;
}

/** A form that a text has to keep. */
export type StringFormat = "email" | "uri" | "hostname" | "ipv4" | "ipv6" | "date";

/** One of a closed list of strings (NAM-4). */
export interface EnumType {
  readonly kind: "enum";
  /** `TicketStatus` */
  readonly typeName: string;
  readonly values: readonly string[];
}

/** Inclusive and exclusive bounds; null where there is none. */
export interface Bounds<N> {
  readonly minimum: N | null;
  readonly maximum: N | null;
  readonly exclusiveMinimum: N | null;
  readonly exclusiveMaximum: N | null;
  readonly multipleOf: N | null;
}

/** A whole number within 53 bits. */
export interface IntegerType extends Bounds<number> {
  readonly kind: "integer";
}

/** A 64-bit floating point number. */
export interface NumberType extends Bounds<number> {
  readonly kind: "number";
}

/** Exact; `scale` fraction digits, 18 digits in all; bounds are decimal strings. */
export interface DecimalType extends Bounds<string> {
  readonly kind: "decimal";
  readonly scale: number;
}

/** True or false. */
export interface BooleanType {
  readonly kind: "boolean";
}

/** A time in UTC (REP-1). */
export interface TimestampType {
  readonly kind: "timestamp";
}

/** A UUID. */
export interface UuidType {
  readonly kind: "uuid";
}

/** An object of its own properties. */
export interface ObjectType {
  readonly kind: "object";
  /** `TicketDeliveryAddress` */
  readonly typeName: string;
  /** Within the files of its resource: `DeliveryAddress`, as in `readDeliveryAddress`. */
  readonly localName: string;
  readonly properties: readonly PropertyModel[];
}

/** Another resource's identifier, with what is shown of the other beside it (REP-4). */
export interface ReferenceType {
  readonly kind: "reference";
  /** `TicketRequester` */
  readonly typeName: string;
  /** Within the files of its resource: `Requester`, as in `writeRequester`. */
  readonly localName: string;
  /** `user`, for sentences. */
  readonly words: string;
  /** Null: another service keeps it. */
  readonly target: ReferenceTarget | null;
  /** The identifier of the other, `requester.userId`. */
  readonly identifier: PropertyModel;
  /** Scalars of the other; of an external one texts that may be null. */
  readonly embedded: readonly PropertyModel[];
  readonly onDelete: "refuse" | "setNull";
  /** It is the reference to the parent (CHD-2). */
  readonly isParent: boolean;
  /** AUT-2: what it embeds is meant for everybody who may read what holds it. */
  readonly isDisclosed: boolean;
}

/** The resource of this service that a reference leads to. */
export interface ReferenceTarget {
  readonly name: ResourceName;
  /** AUT-2: nobody refers to what they may not read. */
  readonly access: AccessModel;
}

/** Any number of values of one type; never null (REP-3). */
export interface ArrayType {
  readonly kind: "array";
  /** Never null: REP-2. */
  readonly items: Exclude<PropertyType, ArrayType>;
  readonly minItems: number;
  readonly maxItems: number;
  readonly uniqueItems: boolean;
}
