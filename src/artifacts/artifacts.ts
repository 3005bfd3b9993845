import type { StorageModel } from "#kernel/store/storage-model";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";
import { accessView, isRestricted } from "./access-view.js";
import { aliasesView } from "./aliases-view.js";
import { serviceContractPage } from "../rules/rule-page.js";
import type { Artifact, DataArtifact, PiecedArtifact } from "./artifact.js";
import { controllerView } from "./controller-view.js";
import { customView } from "./custom-view.js";
import { dtoView } from "./dto-view.js";
import { hooksView } from "./hooks-view.js";
import { postgresMigrationView, sqliteMigrationView } from "./migration-view.js";
import { offers } from "./offers.js";
import { openApiDocument } from "./openapi/document.js";
import { registryView } from "./registry-view.js";
import { needsReferences, referencesView } from "./references-view.js";
import { isConditional, isRenaming, representationView } from "./representation-view.js";
import { resourceFactsView, resourceTestView } from "./resource-test-view.js";
import { resourcesDocument } from "./resources-document.js";
import { serializerView } from "./serializer-view.js";
import { settingsView, type ServiceSettings } from "./settings-view.js";
import { statesView } from "./states-view.js";
import { storeView } from "./store-view.js";
import { storesView, type StoredResource } from "./stores-view.js";
import { validatorView } from "./validator-view.js";

/** What makes the tables of a service. */
export const INITIAL_MIGRATION = "migrations/0001-initial/";

/** The storage model that it leads to. */
export const STORAGE_PATH = `${INITIAL_MIGRATION}storage.json`;

/** What is emitted for each resource of each version. */
export const RESOURCE_ARTIFACTS: readonly Artifact<ResourceModel>[] = [
  {
    template: "resource/dto.ts",
    owner: "generator",
    when: ({ isRepresentation }) => !isRepresentation,
    path: beside("dto"),
    view: dtoView,
  },
  {
    template: "resource/validator.ts",
    owner: "generator",
    when: (resource) => offers(resource).writes || offers(resource).lists,
    path: beside("validator"),
    view: validatorView,
  },
  {
    template: "resource/serializer.ts",
    owner: "generator",
    path: beside("serializer"),
    view: serializerView,
  },
  {
    template: "resource/controller.ts",
    owner: "generator",
    path: beside("controller"),
    view: controllerView,
  },
  {
    template: "resource/aliases.ts",
    owner: "generator",
    when: ({ aliases }) => aliases.length > 0,
    path: beside("aliases"),
    view: aliasesView,
  },
  {
    template: "resource/states.ts",
    owner: "generator",
    when: (resource) => !resource.isRepresentation && resource.entity.states !== null,
    path: beside("states"),
    view: statesView,
  },
  {
    template: "resource/access.ts",
    owner: "generator",
    when: isRestricted,
    path: beside("access"),
    view: accessView,
  },
  {
    template: "resource/references.ts",
    owner: "generator",
    when: needsReferences,
    path: beside("references"),
    view: referencesView,
  },
  {
    template: "resource/representation.ts",
    owner: "generator",
    when: (resource) => isConditional(resource) || isRenaming(resource),
    path: beside("representation"),
    view: representationView,
  },
  {
    template: "resource/hooks.ts",
    owner: "generator",
    when: ({ isRepresentation }) => !isRepresentation,
    path: beside("hooks"),
    view: hooksView,
  },
  {
    template: "resource/store.ts",
    owner: "generator",
    when: ({ isRepresentation }) => !isRepresentation,
    path: ({ name }) => `src/generated/store/${name.plural}.ts`,
    view: storeView,
  },
  {
    template: "resource/test.ts",
    owner: "generator",
    path: ({ name, version }) => `test/generated/${version}-${name.plural}.test.ts`,
    view: resourceTestView,
  },
  {
    template: "resource/facts.ts",
    owner: "generator",
    path: ({ name, version }) => `test/generated/${version}-${name.plural}.facts.ts`,
    view: resourceFactsView,
  },
  {
    template: "scaffold/custom.ts",
    owner: "user",
    when: ({ isRepresentation }) => !isRepresentation,
    path: ({ name }) => `src/custom/${name.plural}.ts`,
    view: customView,
  },
];

/** What is emitted once for the service. */
export const SERVICE_ARTIFACTS: readonly Artifact<ServiceModel>[] = [
  {
    template: "service/registry.ts",
    owner: "generator",
    path: () => "src/generated/registry.ts",
    view: registryView,
  },
];

/** What is emitted once for the service, of what it stores. */
export const STORAGE_ARTIFACTS: readonly Artifact<StorageModel>[] = [
  {
    template: "service/migration.sql",
    owner: "generator",
    path: () => `${INITIAL_MIGRATION}sqlite.sql`,
    view: sqliteMigrationView,
  },
  {
    template: "service/migration.sql",
    owner: "generator",
    path: () => `${INITIAL_MIGRATION}postgres.sql`,
    view: postgresMigrationView,
  },
];

/** Likewise, as data: what the migrations lead to. */
export const STORAGE_DATA: readonly DataArtifact<StorageModel>[] = [
  { owner: "generator", path: () => STORAGE_PATH, value: (storage) => storage },
];

/** Likewise, of what service.yaml says. */
export const SETTINGS_ARTIFACTS: readonly Artifact<ServiceSettings>[] = [
  {
    template: "service/settings.ts",
    owner: "generator",
    path: () => "src/generated/settings.ts",
    view: settingsView,
  },
];

/** Likewise, of the names of what is stored. */
export const STORES_ARTIFACTS: readonly Artifact<readonly StoredResource[]>[] = [
  {
    template: "service/stores.ts",
    owner: "generator",
    path: () => "src/generated/stores.ts",
    view: storesView,
  },
];

/** What is emitted once for the service, for people. */
export const DOCUMENT_ARTIFACTS: readonly PiecedArtifact<ServiceModel>[] = [
  { owner: "generator", path: () => "docs/resources.md", parts: resourcesDocument },
  { owner: "generator", path: () => "docs/contract.md", parts: () => [serviceContractPage()] },
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
];

function beside(part: string): (resource: ResourceModel) => string {
  return ({ name, version }) => `src/generated/${version}/${name.plural}/${name.plural}.${part}.ts`;
}
