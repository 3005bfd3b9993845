import type { ResourceName } from "../naming/resource-name.js";
import type { AccessModel } from "../kinds/access-model.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ChildModel, ParentModel, ReferrerModel } from "./relation-model.js";
import type { StatesModel } from "./states-model.js";
import type { AliasModel } from "./alias-model.js";
import type { RepresentationModel } from "./representation-model.js";

export type { AccessModel };

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

/** One resource of one version. */
export interface ResourceModel {
  /** The YAML file, relative to the project: `resources/v1/tickets.yaml`. */
  readonly source: string;
  readonly version: string;
  readonly name: ResourceName;
  /** Whose objects these are: its own name, or that of the resource that it represents (REP-7). */
  readonly entity: ResourceName;
  /** REP-7; null: the resource keeps its objects itself. */
  readonly represents: RepresentationModel | null;
  /** `/api/v1/tickets` */
  readonly path: string;
  readonly description: string;
  /** Schema order. */
  readonly properties: readonly PropertyModel[];
  readonly operations: readonly Operation[];
  /** STA; null: the resource has no states. */
  readonly states: StatesModel | null;
  /** Ascending by name (ALI). */
  readonly aliases: readonly AliasModel[];
  /** AUT-2 */
  readonly access: AccessModel;
  /** Callers can have a name (AUT-1). */
  readonly authenticated: boolean;
  /** Callers are counted (LIM-2). */
  readonly limited: boolean;
  /** COL-2: false leaves `itemCount` and `pageCount` out. */
  readonly counted: boolean;
  /** OPS-10: nothing is changed without `If-Match`. */
  readonly isMatchRequired: boolean;
  /** QRY-5 */
  readonly paging: Paging;
  readonly identifiers: "ordered" | "random";
  readonly pretty: boolean;
  /** CHD; null: it stands at the root alone. */
  readonly parent: ParentModel | null;
  /** What is deleted with it, those that refer to others of them first (CHD-4). */
  readonly children: readonly ChildModel[];
  /** Those whose entities refer to this one's, in the order of their names and properties (REP-4). */
  readonly referrers: readonly ReferrerModel[];
  /** AUT-2: by which rules its entities are offered: its own, and those of the resources that represent it. */
  readonly offeredBy: readonly OfferedAccess[];
  /** Stored paths that conditions name: of its own aliases, and of the resources that represent it. */
  readonly conditioned: readonly string[];
}

/** What a resource can offer (OPS). */
export type Operation = "create" | "list" | "read" | "replace" | "update" | "delete";

/** One name under which entities are offered, and who may do what with them there. */
export interface OfferedAccess {
  readonly access: AccessModel;
  readonly operations: readonly Operation[];
}

/** QRY-5 */
export interface Paging {
  readonly defaultSize: number;
  readonly maximumSize: number;
}
