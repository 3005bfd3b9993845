import { key, literal, type TsCode } from "../naming/encoders.js";
import { ts } from "../naming/code.js";
import type {
  AuthenticationModel,
  RequestLimits,
  ServiceModel,
  VersionModel,
} from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";

/** What holds for the whole service, whatever its resources are. */
export interface ServiceSettings extends Omit<ServiceModel, "entities" | "versions"> {
  readonly versions: readonly Omit<VersionModel, "resources">[];
}

/** That part of the model. */
export function settingsOf({ entities: _, versions, ...settings }: ServiceModel): ServiceSettings {
  return { ...settings, versions: versions.map(({ resources: _, ...version }) => version) };
}

/** What `service/settings.ts.hbs` sees. */
export interface SettingsView extends HeaderView, RequestLimits {
  readonly service: TsCode;
  readonly title: TsCode;
  readonly basePath: TsCode;
  readonly versions: readonly {
    readonly name: TsCode;
    readonly status: TsCode;
    /** VER-4: members of their own. */
    readonly dates: readonly { readonly key: TsCode; readonly date: TsCode }[];
    readonly document: TsCode;
  }[];
  readonly authentication: TsCode;
  /** Pages of other origins may call it. */
  readonly hasCors: boolean;
  readonly corsOrigins: TsCode;
  readonly identifiers: TsCode;
  readonly pretty: boolean;
  readonly requestsPerMinute: TsCode | number;
}

/** The decisions of service.yaml, as the runtime takes them. */
export function settingsView(service: ServiceSettings): SettingsView {
  return {
    ...serviceHeader(),
    ...service.limits,
    requestsPerMinute: service.limits.requestsPerMinute ?? ts`null`,
    service: literal(service.name),
    title: literal(service.title),
    basePath: literal(service.basePath),
    versions: service.versions.map(versionView),
    authentication: authenticationCode(service.authentication),
    hasCors: service.corsOrigins.length > 0,
    corsOrigins: arrayCode(service.corsOrigins.map(literal), {
      indent: 2,
      before: "cors: { origins: ",
      after: " },",
    }),
    identifiers: literal(service.identifiers),
    pretty: service.pretty,
  };
}

function versionView({
  name,
  status,
  deprecated,
  sunset,
}: ServiceSettings["versions"][number]): SettingsView["versions"][number] {
  const dates = [
    ...(deprecated === null ? [] : [{ key: ts`deprecated`, date: literal(deprecated) }]),
    ...(sunset === null ? [] : [{ key: ts`sunset`, date: literal(sunset) }]),
  ];
  return {
    name: literal(name),
    status: literal(status),
    dates,
    document: literal(`../../openapi/${name}.json`),
  };
}

function authenticationCode(authentication: AuthenticationModel): TsCode {
  const entries = Object.entries(authentication).map(
    ([name, value]) => ts`${key(name)}: ${literal(value)}`,
  );
  return objectCode(entries, { indent: 2, expanded: entries.length > 1 });
}
