import type { PropertyYaml } from "../kinds/property-yaml.js";
import type { ContractSource } from "../load/contract-source.js";
import type { SourceDocument } from "../load/source-document.js";

/** service.yaml, known to have the shape of schemas/service.schema.json. */
export interface ServiceDocument {
  readonly source: SourceDocument;
  readonly value: ServiceYaml;
}

/** A resource file, known to have the shape of schemas/resource.schema.json and to keep every schema rule. */
export interface ResourceDocument {
  readonly source: SourceDocument;
  /** The folder of the file: `v1`. */
  readonly version: string;
  readonly value: ResourceYaml;
}

/** Likewise, the file of a representation. */
export interface RepresentationDocument {
  readonly source: SourceDocument;
  readonly version: string;
  readonly value: RepresentationYaml;
}

/** A whole project that has no mistake left. */
export interface ValidatedTree {
  readonly service: ServiceDocument;
  readonly resources: readonly ResourceDocument[];
  readonly representations: readonly RepresentationDocument[];
  /** What was promised of published versions. */
  readonly contracts: readonly ContractSource[];
}

/** The keys of service.yaml that are supported so far. */
export interface ServiceYaml {
  readonly service: string;
  readonly title?: string;
  readonly description?: string;
  readonly license?: string;
  readonly contact?: ContactYaml;
  readonly header?: string;
  readonly basePath?: string;
  readonly versions?: Readonly<Record<string, VersionStatus | VersionYaml>>;
  readonly cors?: { readonly origins: readonly string[] };
  readonly identifiers?: "ordered" | "random";
  /** `Europe/Berlin` */
  readonly timeZone?: string;
  readonly json?: { readonly pretty?: boolean };
  /** EVT-1 */
  readonly events?: { readonly source?: string };
  readonly client?: boolean;
  readonly paging?: PagingYaml;
  readonly limits?: LimitsYaml;
  readonly authentication?: AuthenticationYaml;
  /** AUT-4 */
  readonly tenant?: TenantYaml;
  readonly inflections?: Readonly<Record<string, string>>;
  readonly rules?: Readonly<
    Record<string, { readonly level: "warning" | "off"; readonly reason: string }>
  >;
}

/** Whom the users of the API can ask; at least one of the three is given. */
export interface ContactYaml {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
}

/** VER-4 */
export type VersionStatus = "draft" | "published" | "deprecated" | "retired";

/** The status of a version, with its dates: `2026-09-01`. */
export interface VersionYaml {
  readonly status: VersionStatus;
  readonly deprecated?: string;
  readonly sunset?: string;
  /** Resources of the version before that are gone, each with the reason (VER-2). */
  readonly removed?: Readonly<Record<string, string>>;
}

/** How callers are known (AUT-1). */
export type AuthenticationYaml =
  | { readonly scheme: "none" }
  | {
      readonly scheme: "bearer";
      readonly issuer: string;
      readonly audience: string;
      readonly keys: string;
      readonly roles?: string;
    };

/** AUT-4: the claim that names the caller's tenant. */
export interface TenantYaml {
  readonly claim: string;
  /** The tenant of rows that had none. */
  readonly existing?: string;
}

/** QRY-5, QRY-9: the pages of a list, as they are written. */
export interface PagingYaml {
  readonly defaultSize?: number;
  readonly maximumSize?: number;
  readonly next?: boolean;
}

/** LIM-1 and LIM-2, each settable. */
export interface LimitsYaml {
  readonly bodyBytes?: number;
  readonly urlBytes?: number;
  readonly headerBytes?: number;
  readonly requestSeconds?: number;
  readonly jsonDepth?: number;
  readonly jsonValues?: number;
  readonly arrayItems?: number;
  readonly stringCharacters?: number;
  readonly pageBytes?: number;
  readonly receivingBytes?: number;
  readonly sendingBytes?: number;
  readonly concurrentRequests?: number;
  readonly requestsPerMinute?: number;
}

/** OPS-9: what can be done with a resource. */
export type OperationYaml = "create" | "list" | "read" | "replace" | "update" | "delete";

/** What every file in resources/ can say of how its resource is offered. */
export interface OperationsYaml {
  readonly resource: string;
  readonly description?: string;
  readonly operations?: readonly OperationYaml[];
  readonly count?: "exact" | "none";
  readonly ifMatch?: "optional" | "required";
  /** QRY-8: the paths of what `?search=` looks in. */
  readonly search?: readonly string[];
  /** EVT-1: the changes that this version announces; not of a representation, whose original announces them. */
  readonly events?: readonly ("created" | "updated" | "deleted")[];
  /** EVT-1: the events that custom code emits. */
  readonly emits?: readonly string[];
  readonly paging?: PagingYaml;
  readonly aliases?: Readonly<Record<string, AliasYaml>>;
  readonly access?: AccessYaml;
  /** The plural of the resource that it is a child of (CHD). */
  readonly parent?: string;
  readonly exempt?: { readonly "NAM-1"?: string };
}

/** The keys of a resource file that are supported so far. */
export interface ResourceYaml extends OperationsYaml {
  readonly entity: string;
  readonly properties: Readonly<Record<string, PropertyYaml>>;
  readonly states?: StatesYaml;
  /** AUT-2: the property with the identifier of the owner. */
  readonly owner?: string;
  /** AUT-4 */
  readonly tenant?: TenantYaml | "none";
  /** OPS-11: what can be done beside the six operations, by name. */
  readonly actions?: Readonly<Record<string, ActionYaml>>;
  /** QRY-1: the common fields that lists can be filtered by. */
  readonly commonFilters?: readonly CommonFieldYaml[];
  /** Lists of properties, each with an index of its own; `-` means descending. */
  readonly indexes?: readonly (readonly string[])[];
  /** Lists of properties whose values no two entities share together. */
  readonly unique?: readonly (readonly string[])[];
  /** Properties that are gone, by name or path, each with the reason (VER-2). */
  readonly removed?: Readonly<Record<string, string>>;
  /** The plural that it had before (VER-2). */
  readonly renamedFrom?: string;
  /** The version whose file this is a copy of (VER-2). */
  readonly sameAs?: string;
}

/** What the service writes on every entity, beside the identifier (ENT-1). */
export type CommonFieldYaml =
  "createdDate" | "createdSubject" | "lastModifiedDate" | "lastModifiedSubject";

/** The keys of the file of a representation (REP-7). */
export interface RepresentationYaml extends OperationsYaml {
  /** The plural of the resource whose objects it shows. */
  readonly represents: string;
  /** Names of the original: as a list, or each with a name of its own. */
  readonly properties: readonly string[] | Readonly<Record<string, string>>;
  readonly where?: WhereYaml;
}

/** AUT-2: `anyone`, `authenticated`, `owner`, `parent`, `custom`, `role:<name>` and claims, any of which suffices. */
export type AccessYaml = Readonly<
  Partial<Record<"read" | "create" | "update" | "delete", readonly GrantYaml[]>>
>;

/** A kind of callers, or those with a claim of their token: of a value, or of the value of a property. */
export type GrantYaml = string | ClaimYaml;

/** It has one of `is` and `equals`. */
export interface ClaimYaml {
  readonly claim: string;
  readonly is?: string | number | boolean;
  readonly equals?: string;
}

/** A search with a path of its own (ALI). */
export interface AliasYaml {
  readonly description?: string;
  readonly where?: WhereYaml;
  readonly sort?: readonly string[];
}

/** Conditions by property path, all of which must hold; under `any` alternatives, one of which must. */
export interface WhereYaml {
  readonly [path: string]: ConditionYaml | readonly WhereYaml[];
}

/** A property may be called `any`: a list of its values holds no mappings. */
export function isAlternatives(
  condition: ConditionYaml | readonly WhereYaml[],
): condition is readonly WhereYaml[] {
  return (
    Array.isArray(condition) && condition.some((one) => typeof one === "object" && one !== null)
  );
}

/** A value that a condition names. */
export type ConditionValueYaml = string | number | boolean | null;

/** A value, any of a list, or comparisons that must all hold. */
export type ConditionYaml = ConditionValueYaml | readonly ConditionValueYaml[] | ComparisonYaml;

/** Comparisons with a property; `within` and `withinNext` are durations such as `24h`, of a date `30d`. */
export interface ComparisonYaml {
  readonly not?: ConditionValueYaml | readonly ConditionValueYaml[];
  readonly atLeast?: string | number;
  readonly atMost?: string | number;
  readonly moreThan?: string | number;
  readonly lessThan?: string | number;
  readonly within?: string;
  readonly withinNext?: string;
}

/** What can be done with an entity or a collection beside the six operations (OPS-11). */
export interface ActionYaml {
  readonly description?: string;
  readonly on?: "entity" | "collection";
  readonly input?: Readonly<Record<string, PropertyYaml>>;
  readonly answers?: "entity" | "nothing" | Readonly<Record<string, PropertyYaml>>;
  readonly states?: readonly string[];
  readonly leadsTo?: string;
  readonly access?: readonly GrantYaml[];
  /** EVT-1: the event that is emitted when it has succeeded. */
  readonly emits?: string;
}

/** The states of an entity and the transitions between them (STA-1). */
export interface StatesYaml {
  readonly property: string;
  /** A list: what a create may name, the first by default. */
  readonly initial: string | readonly string[];
  readonly transitions: Readonly<Record<string, readonly string[]>>;
  readonly updatableIn?: readonly string[];
  readonly deletableIn?: readonly string[];
}
