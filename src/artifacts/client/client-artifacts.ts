import type { ResourceModel } from "../../model/resource-model.js";
import type { Artifact, PiecedArtifact } from "../artifact.js";
import { plainView } from "../custom-view.js";
import type { Origins } from "../imports.js";
import { jsonText } from "../json-text.js";
import { clientResourceView } from "./client-resource-view.js";
import {
  clientConfig,
  clientIndexView,
  clientPackage,
  clientReadmeView,
  type ClientModel,
} from "./client-views.js";

/** What is emitted for each version of a service that has clients. */
export const CLIENT_ARTIFACTS: readonly Artifact<ClientModel>[] = [
  {
    template: "client/index.ts",
    owner: "generator",
    path: (model) => clientPath(model, "src/index.ts"),
    view: clientIndexView,
  },
  core("answers"),
  core("errors"),
  core("options"),
  core("resource"),
  core("send"),
  core("waiting"),
  {
    template: "client/README.md",
    owner: "user",
    path: (model) => clientPath(model, "README.md"),
    view: clientReadmeView,
  },
];

/** What is emitted for each resource of such a version. */
export const CLIENT_RESOURCE_ARTIFACTS: readonly Artifact<ResourceModel>[] = [
  {
    template: "client/resource.ts",
    owner: "generator",
    path: ({ version, name }) => `client/${version}/src/resources/${name.plural}.ts`,
    view: clientResourceView,
    origins: coreOrigins,
  },
];

/** The files of a client that hold a value. */
export const CLIENT_DATA: readonly PiecedArtifact<ClientModel>[] = [
  {
    owner: "user",
    when: ({ service }) => service.client,
    path: (model) => clientPath(model, "package.json"),
    parts: (model) => [jsonText(clientPackage(model))],
  },
  {
    owner: "user",
    when: ({ service }) => service.client,
    path: (model) => clientPath(model, "tsconfig.json"),
    parts: () => [jsonText(clientConfig())],
  },
];

/** What the file of a resource uses of the core. */
const CORE: Readonly<Record<string, string>> = {
  Change: "resource",
  CountedPage: "answers",
  EntityFields: "resource",
  Filter: "resource",
  Page: "answers",
  Paging: "answers",
  countedPageOf: "answers",
  entityWith: "answers",
  isNothing: "answers",
  isObject: "answers",
  lists: "resource",
  pageOf: "answers",
  path: "resource",
  update: "resource",
};

function coreOrigins({ version }: ResourceModel): Origins {
  return {
    offering: (name) => `client/${version}/src/core/${CORE[name] ?? "options"}.ts`,
  };
}

/** A file that is the same in every client. */
function core(name: string): Artifact<ClientModel> {
  return {
    template: `client/core/${name}.ts`,
    owner: "generator",
    path: (model) => clientPath(model, `src/core/${name}.ts`),
    view: plainView,
  };
}

function clientPath({ version }: ClientModel, file: string): string {
  return `client/${version.name}/${file}`;
}
