import { key, literal, type TsCode } from "../naming/encoders.js";
import { ts } from "../naming/code.js";
import type {
  AuthenticationModel,
  RequestLimits,
  ServiceModel,
  VersionModel,
} from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { objectCode } from "./layout.js";

/** What holds for the whole service, whatever its resources are. */
export interface ServiceSettings extends Omit<ServiceModel, "entities" | "versions"> {
  readonly versions: readonly Pick<VersionModel, "name" | "status">[];
}

/** That part of the model. */
export function settingsOf({ entities: _, versions, ...settings }: ServiceModel): ServiceSettings {
  return { ...settings, versions: versions.map(({ name, status }) => ({ name, status })) };
}

/** What `service/settings.ts.hbs` sees. */
export interface SettingsView extends HeaderView, RequestLimits {
  readonly service: TsCode;
  readonly title: TsCode;
  readonly basePath: TsCode;
  readonly versions: readonly {
    readonly name: TsCode;
    readonly status: TsCode;
    readonly document: TsCode;
  }[];
  readonly authentication: TsCode;
  readonly identifiers: TsCode;
  readonly pretty: boolean;
  readonly requestsPerMinute: TsCode | number;
}

/** The decisions of service.yaml, as the kernel takes them. */
export function settingsView(service: ServiceSettings): SettingsView {
  return {
    ...serviceHeader(),
    ...service.limits,
    requestsPerMinute: service.limits.requestsPerMinute ?? ts`null`,
    service: literal(service.name),
    title: literal(service.title),
    basePath: literal(service.basePath),
    versions: service.versions.map(({ name, status }) => ({
      name: literal(name),
      status: literal(status),
      document: literal(`../../openapi/${name}.json`),
    })),
    authentication: authenticationCode(service.authentication),
    identifiers: literal(service.identifiers),
    pretty: service.pretty,
  };
}

function authenticationCode(authentication: AuthenticationModel): TsCode {
  const entries = Object.entries(authentication).map(
    ([name, value]) => ts`${key(name)}: ${literal(value)}`,
  );
  return objectCode(entries, { indent: 2, expanded: entries.length > 1 });
}
