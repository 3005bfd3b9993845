import type { AccessModel } from "../kinds/access-model.js";
import type { OperationsYaml, ResourceYaml, ServiceYaml } from "../validate/resource-document.js";
import { ALL_OPERATIONS, DEFAULT_PAGING } from "./defaults.js";
import type { Paging, ResourceModel } from "./resource-model.js";
import type { AuthenticationModel, Limits } from "./service-model.js";

/** What a resource takes over from the service. */
export interface Inherited {
  readonly service: ServiceYaml;
  readonly basePath: string;
  readonly limits: Limits;
  readonly authentication: AuthenticationModel;
}

/** What can be done with a resource, and how it is served, whichever entity it shows. */
export type OperationsModel = Pick<
  ResourceModel,
  | "description"
  | "operations"
  | "access"
  | "authenticated"
  | "limited"
  | "counted"
  | "search"
  | "isMatchRequired"
  | "announces"
  | "paging"
  | "identifiers"
  | "pretty"
>;

/** What its file does not say is as service.yaml says. */
export function normaliseOperations(
  value: OperationsYaml & Pick<ResourceYaml, "actions">,
  { service, authentication, limits }: Inherited,
  access: AccessModel,
): OperationsModel {
  const offered = value.operations ?? ALL_OPERATIONS;
  return {
    description: value.description ?? "",
    operations: ALL_OPERATIONS.filter((operation) => offered.includes(operation)),
    access,
    authenticated: authentication.scheme === "bearer",
    limited: limits.requestsPerMinute !== null,
    counted: value.count !== "none",
    search: value.search ?? [],
    isMatchRequired: value.ifMatch === "required",
    announces: [
      ...EVENT_KINDS.filter((kind) => value.events?.includes(kind) === true),
      ...emitted(value),
    ],
    paging: normalisePaging(service.paging, value.paging),
    identifiers: service.identifiers ?? "ordered",
    pretty: service.json?.pretty ?? true,
  };
}

const EVENT_KINDS = ["created", "updated", "deleted"] as const;

/** The events that custom code and actions emit, whatever their order in the file. */
function emitted({ emits = [], actions = {} }: Pick<ResourceYaml, "emits" | "actions">): string[] {
  const byActions = Object.values(actions).flatMap((action) => action.emits ?? []);
  return [...new Set([...emits, ...byActions])].sort();
}

/** A resource's own sizes win; a maximum below the default size pulls that down with it. */
function normalisePaging(service: ServiceYaml["paging"], own: ServiceYaml["paging"]): Paging {
  const { defaultSize, maximumSize, next } = { ...DEFAULT_PAGING, ...service, ...own };
  return { defaultSize: Math.min(defaultSize, maximumSize), maximumSize, next };
}
