import type { EntityModel } from "./entity-model.js";
import type { ContactYaml, VersionStatus } from "../validate/resource-document.js";
import type { ResourceModel } from "./resource-model.js";

/** Everything that is emitted, decided: no absent values, no text to be printed, no YAML. */
export interface ServiceModel {
  /** `helpdesk` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `Apache-2.0`; null where service.yaml names none. */
  readonly license: string | null;
  /** Whom the users of the API can ask; null where service.yaml does not say. */
  readonly contact: ContactYaml | null;
  /** What stands above every generated file of code, its lines without a comment's marks. */
  readonly header: string | null;
  /** `/api`, without a trailing slash. */
  readonly basePath: string;
  /** Origins of the web pages that may call it from a browser; `*` is any, and none is none. */
  readonly corsOrigins: readonly string[];
  /** IDN-3 */
  readonly identifiers: "ordered" | "random";
  /** REP-5 */
  readonly pretty: boolean;
  /** EVT-1: where events say that they come from: `/helpdesk`. */
  readonly eventSource: string;
  /** Each version that is served has a client to publish. */
  readonly client: boolean;
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
      /** AUT-4: the dotted path of the caller's tenant; null: nothing has a tenant. */
      readonly tenant: string | null;
    };

/** LIM-1, LIM-2: of one request, and of one process. */
export interface RequestLimits {
  readonly bodyBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly requestSeconds: number;
  readonly jsonDepth: number;
  readonly jsonValues: number;
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
  readonly status: VersionStatus;
  /** The date from which it is deprecated, `2026-09-01`; null where it is not, or was when nobody knows (VER-4). */
  readonly deprecated: string | null;
  /** The date from which it may be gone. */
  readonly sunset: string | null;
  /** Ascending by name; none where it is retired. */
  readonly resources: readonly ResourceModel[];
}
