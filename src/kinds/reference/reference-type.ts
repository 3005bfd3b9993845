import type { ResourceName } from "../../naming/resource-name.js";
import type { AccessModel } from "../access-model.js";
import type { PropertyModel } from "../property-model.js";

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
  /** CHD-1: the path of a request can name what it leads to. */
  readonly isPath: boolean;
  /** AUT-2: what it embeds is meant for everybody who may read what holds it. */
  readonly isDisclosed: boolean;
}

/** The resource of this service that a reference leads to. */
export interface ReferenceTarget {
  readonly name: ResourceName;
  /** What its table is called after: what the newest version calls it. */
  readonly storedPlural: string;
  /** AUT-2: nobody refers to what they may not read. */
  readonly access: AccessModel;
}

/** The keywords of a reference. */
export interface ReferenceYaml {
  /** The plural of the resource that is referred to (REP-4). */
  readonly reference?: string;
  readonly external?: boolean;
  /** The singular of an external resource. */
  readonly entity?: string;
  /** What identifies an external resource. */
  readonly identifier?: "uuid" | "string";
  readonly embed?: readonly string[];
  readonly onDelete?: "refuse" | "setNull";
  /** AUT-2: what is embedded is meant for everybody who may read what holds the reference. */
  readonly disclose?: boolean;
  /** CHD-1: it is a path as well. */
  readonly listedUnder?: boolean;
}
