import type { ResourceName } from "../naming/resource-name.js";
import type { AccessModel } from "../kinds/access-model.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ActionModel } from "./action-model.js";
import type { AliasModel, ConditionModel } from "./alias-model.js";
import type { ConversionModel, PairModel } from "./conversion-model.js";
import type { EarlierShape } from "./earlier-shape.js";
import type { EntityModel } from "./entity-model.js";
import type { ExemptionModel } from "./normalise-exemptions.js";
import type { Projection } from "./projection.js";

/** A grant that compares a property of an entity or an ancestor, and where that is stored (AUT-2). */
export interface StoredEquality {
  /** As in `access`: `parent:owner:account`. */
  readonly grant: string;
  /** `parent:owner:account.accountId` */
  readonly storedGrant: string;
  /** How many parents above the entity. */
  readonly depth: number;
  /** `customer.account.accountId` */
  readonly path: string;
  /** The reference that leads to the property, and its path there; null: the entity itself has it. */
  readonly through: {
    readonly reference: string;
    readonly target: ResourceName;
    readonly path: string;
  } | null;
}

/** What one URL shows: a projection of an entity, and what can be done with it there. */
export interface ResourceModel {
  /** The YAML file, relative to the project: `resources/v1/tickets.yaml`. */
  readonly source: string;
  readonly version: string;
  readonly name: ResourceName;
  /** What is stored of all that it shows. */
  readonly entity: EntityModel;
  /** REP-7: it shows the entities of another resource of its version, under another name. */
  readonly isRepresentation: boolean;
  /** Which entities it shows; all of them must hold, and none means every entity (REP-7). */
  readonly conditions: readonly ConditionModel[];
  /** `/api/v1/tickets` */
  readonly path: string;
  readonly description: string;
  /** Schema order; their paths are those that clients use. */
  readonly properties: readonly PropertyModel[];
  /** Where each of them is stored. */
  readonly projection: Projection;
  /** VER-2: how they follow from what is stored; null: all of them are shown as they are stored. */
  readonly conversion: ConversionModel | null;
  /** What is converted from its version to the next; none for a representation. */
  readonly pairs: readonly PairModel[];
  /** What its file says of the version before. */
  readonly earlier: EarlierShape;
  /** QRY-1: the common fields, or what they hold, that lists can be filtered by. */
  readonly commonFilters: readonly PropertyModel[];
  /** QRY-8: the paths that `?search=` looks in, the first ranks highest; empty: there is no such parameter. */
  readonly search: readonly string[];
  readonly operations: readonly Operation[];
  /** Ascending by name (ALI). */
  readonly aliases: readonly AliasModel[];
  /** OPS-11; in the order of the file. */
  readonly actions: readonly ActionModel[];
  /** AUT-2 */
  readonly access: AccessModel;
  /** The grants of its operations and actions that compare a property. */
  readonly equalities: readonly StoredEquality[];
  /** Callers can have a name (AUT-1). */
  readonly authenticated: boolean;
  /** Callers are counted (LIM-2). */
  readonly limited: boolean;
  /** COL-2: false leaves `itemCount` and `pageCount` out. */
  readonly counted: boolean;
  /** OPS-10: nothing is changed without `If-Match`. */
  readonly isMatchRequired: boolean;
  /** EVT-1: its events: changes in the order of a life, then those that are emitted; none of a representation. */
  readonly announces: readonly string[];
  /** QRY-5 */
  readonly paging: Paging;
  readonly identifiers: "ordered" | "random";
  readonly pretty: boolean;
  /** VER-4: what every answer carries, errors too; empty: its version is not deprecated. */
  readonly versionHeaders: readonly VersionHeader[];
  /** CHD; null: its entities belong to no other. */
  readonly parent: ParentModel | null;
  /** CHD-1: under whose entities it is listed and created as well, beside the parent. */
  readonly listedUnder: readonly PathModel[];
  /** CHD-1: others stand under its entities. */
  readonly isInPaths: boolean;
  /** Naming rules that its names need not follow. */
  readonly exemptions: readonly ExemptionModel[];
  /** AUT-2: the children, and theirs, that a deletion needs the right to as well. */
  readonly guardedChildren: readonly GuardedChild[];
}

/** A child, as it is stored. */
export interface GuardedChild extends ResourceName {
  /** What the version calls it whose access is asked. */
  readonly servedPlural: string;
  /** The version of the parent, where that has it. */
  readonly servedVersion: string;
  /** Of those who may read it, and of those who may delete it: the lists that a deletion asks for. */
  readonly access: readonly (readonly string[])[];
}

/** What a resource can offer (OPS). */
export type Operation = "create" | "list" | "read" | "replace" | "update" | "delete";

/** EVT-1: what becomes of an entity. */
export type EventKind = "created" | "updated" | "deleted";

/** VER-4: RFC 9745, RFC 8594. */
export type VersionHeader = "Deprecation" | "Sunset";

/** QRY-5 */
export interface Paging {
  readonly defaultSize: number;
  readonly maximumSize: number;
  /** The envelope says what follows (QRY-9). */
  readonly next: boolean;
}

/** A resource under whose entities another one stands (CHD-1). */
export interface PathModel {
  readonly name: ResourceName;
  /** `/api/v1/orders` */
  readonly path: string;
  /** The reference to it, among the properties of the other: `order`. */
  readonly property: string;
}

/** The resource that another one is a child of (CHD). */
export interface ParentModel extends PathModel {
  readonly access: AccessModel;
  /** AUT-2: whoever may delete it may delete its children (`delete: [parent]`). */
  readonly takesAlong: boolean;
}
