import type { AccessRules, Grant } from "../auth/access.js";

/** A JSON value in a test. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** What the tests of a resource need to know of its schema. */
export interface ResourceFacts {
  /** `/api/v1/tickets` */
  readonly path: string;
  /** `Ticket` */
  readonly entityType: string;
  /** `ticketId` */
  readonly idProperty: string;
  readonly operations: readonly string[];
  /** A body that a POST accepts. */
  readonly valid: { readonly [name: string]: JsonValue };
  /** Whose child it is (CHD); null: nobody's. */
  readonly parent: Parent | null;
  /** What else its entities are created under (CHD-1); left out: nothing. */
  readonly listedUnder?: readonly PathFacts[];
  /** What a body must refer to, beside `valid` (REP-4). */
  readonly needs: readonly Need[];
  /** Values that are refused. */
  readonly invalid: readonly { readonly field: string; readonly value: JsonValue }[];
  /** AUT-2 */
  readonly access: AccessRules;
  /** OPS-11; left out: there are none. */
  readonly actions?: readonly ActionFacts[];
  /** STA; left out: it has no states. */
  readonly states?: StatesFacts;
  /** The state that samples give for what others refer to; left out: that in which it begins. */
  readonly ledTo?: string;
  /** REP-7: whose entities it shows under another name; left out: it has its own. */
  readonly original?: ResourceFacts;
  /** ALI-1: names of searches; left out: there are none. */
  readonly aliases?: readonly string[];
  /** REP-7: not everything that is stored is found here, so that a new entity may not be. */
  readonly isFiltered?: boolean;
  /** OPS-10: nothing is changed without `If-Match`. */
  readonly isMatchRequired?: boolean;
  readonly readOnly: readonly string[];
  readonly immutable: readonly string[];
  /** OPS-4: added after the version was published; left out: none. */
  readonly addedLater?: readonly string[];
  readonly unique: readonly string[];
  /** Lists of properties whose values no two entities share together; left out: there are none. */
  readonly uniqueTogether?: readonly (readonly string[])[];
  /** Of those of these lists that hold no reference, the property that differs each time. */
  readonly varied?: readonly string[];
  /** Values of those of `unique` and `varied` that cannot be counted up from the one in `valid`. */
  readonly others?: { readonly [name: string]: readonly JsonValue[] };
  readonly sorts: readonly string[];
  /** What is filtered by bounds, each with a bound and with what is none; left out: nothing is (QRY-3). */
  readonly ranges?: readonly Range[];
  /** STA-3: a new entity can be deleted. */
  readonly deletable: boolean;
}

/** What the tests need to know of an action (OPS-11). */
export interface ActionFacts {
  readonly name: string;
  readonly on: "entity" | "collection";
  /** AUT-2: as `update` of an entity, or `create` on a collection. */
  readonly grants: readonly Grant[];
  /** A body that is accepted. */
  readonly valid: { readonly [name: string]: JsonValue };
  /** Values that are refused. */
  readonly invalid: readonly { readonly field: string; readonly value: JsonValue }[];
  readonly answers: "entity" | "nothing" | "object";
  /** What a body must refer to, beside `valid` (REP-4); left out: nothing. */
  readonly needs?: readonly ActionNeed[];
  /** STA-2: whether it is allowed for a new entity. */
  readonly isAllowedAtFirst: boolean;
  /** STA: from which states it leads to which; left out: the schema does not say. */
  readonly leads?: { readonly from: readonly string[]; readonly to: string };
}

/** The states of an entity, and what leads from one to the other. */
export interface StatesFacts {
  /** Where the state stands. */
  readonly property: string;
  readonly initial: string;
  /** What else a create may name; left out: nothing. */
  readonly alsoInitial?: readonly string[];
  /** What can follow each state by an update. */
  readonly transitions: { readonly [state: string]: readonly string[] };
  readonly deletableIn: readonly string[];
}

/** A reference that the body of an action must hold, and the resource that it leads to. */
export interface ActionNeed extends Pick<Need, "property" | "items"> {
  /** Asked late: both may refer to each other. */
  readonly facts: () => ResourceFacts;
}

/** A property that is filtered by bounds. */
export interface Range {
  readonly path: string;
  readonly bound: JsonValue;
  readonly wrong: string;
}

/** The parent of a resource, and what follows its identifier in the path of the children: `/shipments`. */
export interface Parent {
  readonly facts: ResourceFacts;
  readonly rest: string;
  /** The reference to it. */
  readonly property: string;
  /** AUT-2: whoever may delete it may delete its children. */
  readonly takesAlong?: boolean;
  /** AUT-2: the reference shows what the other's own rules show to everybody who reads this. */
  readonly embeds?: boolean;
}

/** A resource under whose entities another one stands, and what follows its identifier in their paths: `/orders`. */
export interface PathFacts {
  /** Asked late: both may stand under each other. */
  readonly facts: () => ResourceFacts;
  readonly rest: string;
  /** The reference to it. */
  readonly property: string;
}

/** Whether the tests can make one: what it belongs to and must refer to has to be made as well. */
export function canCreate({ operations, needs, parent }: ResourceFacts): boolean {
  const others = [...needs, ...(parent === null ? [] : [parent])];
  return operations.includes("create") && others.every((other) => canCreate(other.facts));
}

/** A reference that a body must hold, and the resource that it leads to. */
export interface Need {
  /** Its path: `customer`, `lines.product`. */
  readonly property: string;
  readonly facts: ResourceFacts;
  /** The property is a list, of at least so many references; left out: it is one reference. */
  readonly items?: number;
  /** AUT-2: it shows what the other's own rules show to everybody who reads this. */
  readonly embeds?: boolean;
}

/** Whether the service's own code is asked (`custom`). */
export function isAskingCode(grants: readonly Grant[]): boolean {
  return grants.some((grant) => /^(?:parent:)*custom$/.test(grant));
}
