import type { ResourceName } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ActionModel } from "./action-model.js";
import type { StatesModel } from "./states-model.js";

/** What is stored, in its newest shape, whatever versions and resources show of it. */
export interface EntityModel {
  /** The YAML file of its newest shape, relative to the project: `resources/v1/tickets.yaml`. */
  readonly source: string;
  readonly name: ResourceName;
  readonly description: string;
  /** Schema order; their paths are those of what is stored. */
  readonly properties: readonly PropertyModel[];
  /** What has become of earlier ones. */
  readonly history: EntityHistory;
  /** OPS-11: what the service's own code can do with it, beside the six operations. */
  readonly actions: readonly ActionModel[];
  /** STA; null: it has no states. */
  readonly states: StatesModel | null;
  /** AUT-4; null: all tenants share it. */
  readonly tenant: TenantModel | null;
  /** CHD; null: it belongs to no other. */
  readonly parent: EntityParent | null;
  /** Those that it belongs to, its parent first. */
  readonly ancestors: readonly EntityParent[];
  readonly announced: readonly AnnouncedModel[];
  /** What is deleted with it, the children of its children included; those that refer to others of them first (CHD-4). */
  readonly children: readonly ChildModel[];
  /** Those that refer to it, in the order of their names and properties (REP-4). */
  readonly referrers: readonly ReferrerModel[];
  /** Paths that queries and conditions of its resources name: each needs a column to compare, and an index. */
  readonly queried: readonly string[];
  /** Paths of texts that lists are searched by, those of what refers to it among them (QRY-7, QRY-8). */
  readonly searched: readonly string[];
  /** Paths of what is embedded of others that its lists are searched by: `customer.name` (QRY-8). */
  readonly searchedOthers: readonly string[];
  /** Ways through its entities that lists read, beside those of one property; no two are the same. */
  readonly indexes: readonly IndexModel[];
  /** Properties whose values no two entities share together. */
  readonly uniqueTogether: readonly (readonly string[])[];
  /** AUT-2: some resource shows a caller only what that caller created. */
  readonly isFilteredByCreator: boolean;
  /** AUT-2: what resources ask of those who created its ancestors: `parent:owner`, `parent:parent:owner`. */
  readonly ownerships: readonly string[];
  /** AUT-2: properties of others that its grants compare, by the path through a reference. */
  readonly reached: readonly ReachedModel[];
  /** AUT-2: what the access of other entities compares of it, whatever their tenant. */
  readonly comparedByOthers: readonly string[];
  /** AUT-2: the service's own code says which of them a caller is given (`custom`). */
  readonly isScoped: boolean;
  /** AUT-2: some resource, of it or of what belongs to it, asks whether a caller is given what it belongs to. */
  readonly isScopedByParent: boolean;
}

/** AUT-4: the tenant that each entity belongs to, which no body shows. */
export interface TenantModel {
  /** Of rows that had none; null: the schema does not say. */
  readonly existing: string | null;
}

/** EVT-1: what a version announces of an entity, and what that is called there. */
export interface AnnouncedModel {
  readonly version: string;
  readonly name: ResourceName;
  /** `created`, `shipped` */
  readonly kinds: readonly string[];
  /** AUT-4 */
  readonly hasTenant: boolean;
  /** The actions that emit an event, with its name. */
  readonly actions: readonly { readonly name: string; readonly emits: string }[];
}

/** A property of another entity: `customer.account.accountId`. */
export interface ReachedModel {
  readonly path: string;
  readonly reference: string;
  readonly target: ResourceName;
  /** There: `account.accountId`. */
  readonly targetPath: string;
}

/** An order of entities; it ends on the identifier (QRY-4). */
export type IndexModel = readonly IndexKey[];

/** What an index is ordered by. */
export interface IndexKey {
  /** Of what is stored, a common field among it: `deliveryAddress.state`, `createdDate`. */
  readonly path: string;
  readonly descending: boolean;
}

/** What the newest shape of an entity says of earlier ones (VER-2). */
export interface EntityHistory {
  /** Plurals that it had, which its tables are named after. */
  readonly formerPlurals: readonly string[];
  /** The path of a property -> the names that it had, the latest first: `deliveryAddress.state` -> [`region`]. */
  readonly renamed: Readonly<Record<string, readonly string[]>>;
  /** Paths of properties that are gone. */
  readonly removed: readonly string[];
  readonly converted: readonly ConvertedProperties[];
}

/** Properties that custom code or words make of others, which are gone from the same object in the newer version. */
export interface ConvertedProperties {
  /** `merchantsV1ToV2`: what the file of the pair exports. */
  readonly pair: string;
  /** The last version that shows what they are made of. */
  readonly version: string;
  /** Paths, under the names that what holds them has now. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** What an entity belongs to. */
export interface EntityParent {
  readonly name: ResourceName;
  /** The reference to it, among the properties of the child: `order`. */
  readonly property: string;
}

/** An entity, and the reference by which it belongs to its own parent. */
export type Intermediate = EntityParent;

/** An entity that belongs to another, or to what belongs to it, as the deletion of that other one sees it. */
export interface ChildModel extends Told {
  readonly name: ResourceName;
  /** Its reference to its parent. */
  readonly property: string;
  /** What lies between: its parent and that one's reference, and so on; none where it is a child of what is deleted. */
  readonly through: readonly Intermediate[];
  readonly states: StatesModel | null;
  /** AUT-2: not everybody who may delete the parent may delete it. */
  readonly isGuarded: boolean;
  /** Who refers to it. */
  readonly referrers: readonly ReferrerModel[];
}

/** An entity that refers to another, as the deletion of that one sees it. */
export interface ReferrerModel extends Told {
  readonly name: ResourceName;
  /** Its path: `requester`, `lines.product`. */
  readonly property: string;
  /** A table of links keeps what it leads to. */
  readonly isLinked: boolean;
  /** It is never null: nothing can let go of what it leads to. */
  readonly isRequired: boolean;
  readonly onDelete: "refuse" | "setNull";
}

interface Told {
  /** EVT-1 */
  readonly announced: readonly AnnouncedModel[];
  /** AUT-2: everybody who may ask for the deletion may read it, so that a refusal can name it. */
  readonly isTold: boolean;
}
