import type { AccessModel } from "../kinds/access-model.js";
import type { ValueFacts } from "../kinds/kind-contract.js";
import type { KindName } from "../kinds/kinds.js";
import type { Value } from "../kinds/property-model.js";
import type { Operation, Paging } from "../model/resource-model.js";

/** All that a client of a version can see of one resource, in the client's own words; an absent fact is the usual one. */
export interface ResourceContract {
  /** `tickets` */
  readonly resource: string;
  /** The entity in errors: `Ticket`, as in `TicketNotFoundMessage`. */
  readonly entity: string;
  /** `ticketId` */
  readonly identifier: string;
  /** The resource whose objects it shows; absent: its own (REP-7). */
  readonly represents?: string;
  /** Which of them (REP-7). */
  readonly where?: readonly ConditionContract[];
  /** What it is created under (CHD). */
  readonly parent?: { readonly resource: string; readonly property: string };
  /** Where else it is listed and created; ascending by resource (CHD-1). */
  readonly listedUnder?: readonly { readonly resource: string; readonly property: string }[];
  readonly operations: readonly Operation[];
  readonly access: AccessModel;
  /** AUT-2: what a deletion takes along that not everybody may read or delete who may delete it; absent: nothing. */
  readonly takesAlong?: readonly TakenAlong[];
  /** REP-4, CHD-4: the references, and the states of children, that can refuse its deletion: `bookings.guest`; absent: none. */
  readonly heldBy?: readonly string[];
  /** COL-2; absent: exact. */
  readonly count?: "none";
  /** AUT-4; absent: all tenants share it. */
  readonly tenant?: true;
  /** OPS-10; absent: optional. */
  readonly ifMatch?: "required";
  readonly paging: Omit<Paging, "next"> & { readonly next?: true };
  readonly aliases?: Readonly<Record<string, AliasContract>>;
  readonly states?: StatesContract;
  /** QRY-1: what lists can be filtered by of the fields that the service writes itself; absent: by none. */
  readonly commonFilters?: readonly string[];
  /** QRY-8: the properties that `?search=` looks in, the first ranks highest; absent: there is no such parameter. */
  readonly search?: readonly string[];
  /** EVT-1: what is announced; absent: nothing. */
  readonly events?: readonly string[];
  /** Properties whose values no two entities share together; absent: there are none. */
  readonly unique?: readonly (readonly string[])[];
  /** OPS-11; absent: there are none. */
  readonly actions?: Readonly<Record<string, ActionContract>>;
  /** By path, ascending: `deliveryAddress`, `deliveryAddress.state`, `tags[]`. */
  readonly properties: Readonly<Record<string, PropertyContract>>;
}

/** What goes with an entity that is deleted, and those who may read it, or delete it: one of whom the caller has to be. */
export interface TakenAlong {
  readonly resource: string;
  readonly access: readonly string[];
}

/** What must hold for the property at a path. */
export type PathConditionContract = Readonly<Record<string, Value | null>>;

/** What must hold: for one property, or all of what one of the alternatives says. */
export type ConditionContract =
  PathConditionContract | { readonly any: readonly (readonly PathConditionContract[])[] };

/** A search with a path of its own (ALI). */
export interface AliasContract {
  readonly where: readonly ConditionContract[];
  /** `-closedDate` */
  readonly sort: readonly string[];
}

/** What can be done beside the six operations (OPS-11). */
export interface ActionContract {
  readonly on: "entity" | "collection";
  readonly access: readonly string[];
  /** By path, as the properties of a resource. */
  readonly input: Readonly<Record<string, PropertyContract>>;
  readonly answers: "entity" | "nothing" | "object";
  readonly answer: Readonly<Record<string, PropertyContract>>;
  /** Absent: all of them. */
  readonly states?: readonly string[];
  /** Absent: the state stays, as far as is known. */
  readonly leadsTo?: string;
}

/** STA */
export interface StatesContract {
  readonly property: string;
  readonly initial: string;
  /** What else a create may name; absent: nothing. */
  readonly alsoInitial?: readonly string[];
  readonly transitions: Readonly<Record<string, readonly string[]>>;
  readonly updatableIn: readonly string[];
  readonly deletableIn: readonly string[];
}

/** What a client can rely on of the value at one path. */
export interface PropertyContract extends ValueFacts {
  readonly type: KindName;
  /** REP-2: never null. */
  readonly required?: true;
  readonly default?: Value;
  readonly readOnly?: true;
  readonly immutable?: true;
  readonly unique?: true;
  readonly filterable?: true;
  /** By bounds, too (QRY-3). */
  readonly isRange?: true;
  /** By parts of texts, too (QRY-7). */
  readonly isSearch?: true;
  readonly sortable?: true;
  readonly deprecated?: true;
  /** It was added after the version was published: a PUT may leave it out (OPS-4). */
  readonly addedLater?: true;
  /** REP-7: the property of the original that a representation shows; absent: that of the same name. */
  readonly shows?: string;
  /** VER-2: what the version before shows instead of values that it does not know. */
  readonly inOlderVersions?: Readonly<Record<string, string>>;
  /** A reference shows it of the other resource. */
  readonly embedded?: true;
  /** The path of a request names it (CHD-2). */
  readonly isParent?: true;
}

/** The form of frozen contracts. */
export const CONTRACT_FORMAT = 4;

/** The form before it, which names neither the service nor the source of its events nor its tokens. */
export const FORMER_CONTRACT_FORMAT = 3;

/** What holds for every resource of a version. */
export interface VersionContract {
  readonly format: typeof CONTRACT_FORMAT | typeof FORMER_CONTRACT_FORMAT;
  /** `v1` */
  readonly version: string;
  /** `helpdesk`, with which the type of every event begins; absent: the former format does not promise it. */
  readonly service?: string;
  /** EVT-1: where its events come from; absent: it has none, or the former format does not promise it. */
  readonly eventSource?: string;
  readonly basePath: string;
  /** AUT-1 */
  readonly authentication: "none" | "bearer";
  /** AUT-1; absent: callers need none, or the former format does not record them. */
  readonly tokens?: TokensContract;
  /** Origins of the web pages that may call it, `*` is any; absent: none of another origin. */
  readonly origins?: readonly string[];
  /**
   * LIM-1, LIM-2: what a single request meets; bounds of values are at the properties. Settings of operation are recorded
   * with them, and an edit of those breaks no client.
   */
  readonly limits: Readonly<Record<string, number>>;
}

/** The tokens that are accepted, and the claim in them that holds the roles: settings of operation. */
export interface TokensContract {
  readonly issuer: string;
  readonly audience: string;
  readonly roles: string;
  /** AUT-4; absent: nothing has a tenant. */
  readonly tenant?: string;
}

/** A whole version. */
export interface Contract {
  readonly version: VersionContract;
  /** By plural. */
  readonly resources: ReadonlyMap<string, ResourceContract>;
}
