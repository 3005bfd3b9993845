import { key, literal, type TsCode } from "../naming/encoders.js";
import { ts, word } from "../naming/code.js";
import { arrayDoc, objectDoc, prefixed, type Doc } from "../naming/doc.js";
import type { AuthenticationModel, ServiceModel, VersionModel } from "../model/service-model.js";
import { fileCode, serviceHeader } from "./header-view.js";
import { objectCode } from "./layout.js";

/** What holds for the whole service, whatever its resources are. */
export interface ServiceSettings extends Omit<ServiceModel, "entities" | "versions"> {
  readonly versions: readonly Omit<VersionModel, "resources">[];
}

/** That part of the model. */
export function settingsOf({ entities: _, versions, ...settings }: ServiceModel): ServiceSettings {
  return { ...settings, versions: versions.map(({ resources: _, ...version }) => version) };
}

/** The file of the decisions of service.yaml, as the runtime takes them. */
export function settingsCode(service: ServiceSettings): TsCode {
  const origins = prefixed(ts`origins: `, arrayDoc(service.corsOrigins.map(literal)));
  const limits = Object.entries(service.limits).map(
    ([name, value]: [string, number | null]) => ts`${word(name)}: ${value ?? ts`null`}`,
  );
  const entries = [
    ts`service: ${literal(service.name)}`,
    ts`title: ${literal(service.title)}`,
    ts`basePath: ${literal(service.basePath)}`,
    prefixed(ts`versions: `, arrayDoc(service.versions.map(versionDoc), true)),
    ts`authentication: ${authenticationCode(service.authentication)}`,
    // Pages of other origins may call it.
    ...(service.corsOrigins.length > 0 ? [prefixed(ts`cors: `, objectDoc([origins]))] : []),
    ts`identifiers: ${literal(service.identifiers)}`,
    ts`pretty: ${service.pretty}`,
    prefixed(ts`limits: `, objectDoc(limits, true)),
  ];
  return fileCode(serviceHeader(), [
    ts`/** What service.yaml decides. */
export const settings: @ServiceSettings = ${objectCode(entries, { expanded: true })};`,
  ]);
}

function versionDoc(version: ServiceSettings["versions"][number]): Doc {
  const { name, status, deprecated, sunset } = version;
  const document = literal(`../../openapi/${name}.json`);
  return objectDoc(
    [
      ts`name: ${literal(name)}`,
      ts`status: ${literal(status)}`,
      // VER-4: members of their own.
      ...(deprecated === null ? [] : [ts`deprecated: ${literal(deprecated)}`]),
      ...(sunset === null ? [] : [ts`sunset: ${literal(sunset)}`]),
      ts`document: new URL(${document}, import.meta.url)`,
    ],
    true,
  );
}

function authenticationCode(authentication: AuthenticationModel): TsCode {
  const entries = Object.entries(authentication).flatMap(
    ([name, value]: [string, string | null]) =>
      value === null ? [] : [ts`${key(name)}: ${literal(value)}`],
  );
  return objectCode(entries, { indent: 2, expanded: entries.length > 1 });
}
