import { isRestricted } from "../kinds/access-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";
import { accessCode } from "./access-code.js";
import { actionsView } from "./actions-view.js";
import { aliasesCode } from "./aliases-code.js";
import { appView, servicesCode } from "./app-view.js";
import type { Artifact, PiecedArtifact } from "./artifact.js";
import { asyncApiDocument, isAnnouncing } from "./asyncapi-document.js";
import { CLIENT_DATA } from "./client/client-artifacts.js";
import { controllerView } from "./controller-code.js";
import { conversionsView } from "./conversions-view.js";
import { customConversionView, ownPairPath, type OwnPair } from "./custom-conversion-view.js";
import { plainView } from "./custom-view.js";
import { dtoView } from "./dto-view.js";
import type { ServiceList } from "./entity-list.js";
import { serviceEventsCode } from "./events-code.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { resourcePath } from "./modules.js";
import { operationsOf } from "./operations.js";
import { openApiDocument } from "./openapi/document.js";
import { pairsCode } from "./pairs-code.js";
import { hasProjectionFile, projectionCode } from "./projection-code.js";
import { resourcesDocument } from "./resources-document.js";
import { serializerView } from "./serializer-view.js";
import { isShaped } from "./shaped.js";
import { settingsCode, type ServiceSettings } from "./settings-code.js";
import { validatorView } from "./validator-view.js";
import { word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import { resourceOrigins, shownOrigins } from "./origins.js";

/** What is emitted for each resource of each version. */
export const RESOURCE_ARTIFACTS: readonly Artifact<ResourceModel>[] = [
  {
    template: "resource/controller.ts",
    owner: "generator",
    path: (resource) => resourcePath(resource, "controller"),
    view: controllerView,
    origins: resourceOrigins,
  },
  {
    template: "resource/validator.ts",
    owner: "generator",
    when: (resource) => operationsOf(resource).writes || operationsOf(resource).lists,
    path: (resource) => resourcePath(resource, "validator"),
    view: validatorView,
    origins: shownOrigins,
  },
  {
    template: "resource/serializer.ts",
    owner: "generator",
    path: (resource) => resourcePath(resource, "serializer"),
    view: serializerView,
    origins: shownOrigins,
  },
  {
    template: "resource/actions.ts",
    owner: "generator",
    when: ({ actions }) => actions.length > 0,
    path: (resource) => resourcePath(resource, "actions"),
    view: actionsView,
    origins: resourceOrigins,
  },
  {
    template: "resource/dto.ts",
    owner: "generator",
    path: (resource) => resourcePath(resource, "dto"),
    view: dtoView,
    origins: resourceOrigins,
  },
  {
    template: "resource/conversions.ts",
    owner: "generator",
    when: isShaped,
    path: (resource) => resourcePath(resource, "conversions"),
    view: conversionsView,
    origins: shownOrigins,
  },
  {
    name: "resource/pairs.ts",
    owner: "generator",
    when: ({ pairs }) => pairs.length > 0,
    path: (resource) => resourcePath(resource, "pairs"),
    print: pairsCode,
    origins: shownOrigins,
  },
  {
    name: "resource/aliases.ts",
    owner: "generator",
    when: ({ aliases }) => aliases.length > 0,
    path: (resource) => resourcePath(resource, "aliases"),
    print: aliasesCode,
  },
  {
    name: "resource/access.ts",
    owner: "generator",
    when: isRestricted,
    path: (resource) => resourcePath(resource, "access"),
    print: accessCode,
    origins: resourceOrigins,
  },
  {
    name: "resource/projection.ts",
    owner: "generator",
    when: hasProjectionFile,
    path: (resource) => resourcePath(resource, "projection"),
    print: projectionCode,
    origins: resourceOrigins,
  },
];

/** What is emitted for each object that own code converts from one version to the next. */
export const PAIR_ARTIFACTS: readonly Artifact<OwnPair>[] = [
  {
    template: "scaffold/conversion.ts",
    owner: "user",
    path: ownPairPath,
    view: customConversionView,
  },
];

/** What is emitted once for the service. */
export const SERVICE_ARTIFACTS: readonly Artifact<ServiceModel>[] = [
  {
    name: "service/events.ts",
    owner: "generator",
    when: ({ entities }) => entities.some(({ announced }) => announced.length > 0),
    path: () => "src/generated/events.ts",
    print: serviceEventsCode,
  },
  {
    template: "scaffold/events.ts",
    owner: "user",
    when: ({ entities }) => entities.some(({ announced }) => announced.length > 0),
    path: () => "tools/events.ts",
    view: plainView,
  },
  {
    template: "scaffold/token.ts",
    owner: "user",
    when: ({ authentication }) => authentication.scheme === "bearer",
    path: () => "tools/token.ts",
    view: tokenView,
  },
];

/** What is emitted once for the service, of what service.yaml says. */
export const SETTINGS_ARTIFACTS: readonly Artifact<ServiceSettings>[] = [
  {
    name: "service/settings.ts",
    owner: "generator",
    path: () => "src/generated/settings.ts",
    print: settingsCode,
  },
  {
    template: "service/testing.ts",
    owner: "generator",
    path: () => "test/generated/testing.ts",
    view: testingView,
  },
  {
    template: "service/contract-test.ts",
    owner: "generator",
    path: () => "test/generated/contract.test.ts",
    view: serviceHeader,
  },
];

/** What is emitted once for the service, of what it is put together from. */
export const LIST_ARTIFACTS: readonly Artifact<ServiceList>[] = [
  {
    name: "service/services.ts",
    owner: "generator",
    path: () => "src/generated/services.ts",
    print: servicesCode,
  },
  {
    template: "service/app.ts",
    owner: "generator",
    path: () => "src/generated/app.ts",
    view: appView,
  },
  usersFile("app.ts", "src/app.ts"),
  usersFile("fakes.ts", "test/fakes.ts"),
  usersFile("samples.ts", "test/samples.ts"),
];

/** What is emitted once for the service, for people. */
export const DOCUMENT_ARTIFACTS: readonly PiecedArtifact<ServiceModel>[] = [
  { owner: "generator", path: () => "docs/resources.md", parts: resourcesDocument },
];

/** What is emitted for each version, for programs. */
export const VERSION_ARTIFACTS: readonly PiecedArtifact<{
  readonly service: ServiceSettings;
  readonly version: VersionModel;
}>[] = [
  {
    owner: "generator",
    path: ({ version }) => `openapi/${version.name}.json`,
    parts: ({ service, version }) => openApiDocument(service, version),
  },
  {
    owner: "generator",
    when: ({ version }) => isAnnouncing(version),
    path: ({ version }) => `asyncapi/${version.name}.json`,
    parts: ({ service, version }) => asyncApiDocument(service, version),
  },
  ...CLIENT_DATA,
];

/** A file that is made once, with nothing of the model in it. */
function usersFile(template: string, path: string): Artifact<unknown> {
  return { template: `scaffold/${template}`, owner: "user", path: () => path, view: plainView };
}

/** What `service/testing.ts.hbs` sees. */
interface TestingView extends HeaderView {
  /** AUT-1: tests sign their tokens themselves. */
  readonly isBearer: boolean;
  readonly isOpen: boolean;
}

/** What own tests and generated ones start the service with. */
function testingView({ authentication }: ServiceSettings): TestingView {
  const isBearer = authentication.scheme === "bearer";
  return { ...serviceHeader(), isBearer, isOpen: !isBearer };
}

/** What `scaffold/token.ts.hbs` sees. */
interface TokenView {
  /** AUT-1: how the service knows its callers. */
  readonly scheme: TsCode;
}

/** The program that makes tokens for development. */
function tokenView({ authentication }: ServiceModel): TokenView {
  return { scheme: word(authentication.scheme) };
}
