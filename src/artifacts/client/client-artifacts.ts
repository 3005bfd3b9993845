import type { ResourceModel } from "../../model/resource-model.js";
import type { Artifact, PiecedArtifact } from "../artifact.js";
import { plainView } from "../custom-view.js";
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

/** Likewise, for each of its resources. */
export const CLIENT_RESOURCE_ARTIFACTS: readonly Artifact<ResourceModel>[] = [
  {
    template: "client/resource.ts",
    owner: "generator",
    path: ({ version, name }) => `client/${version}/src/resources/${name.plural}.ts`,
    view: clientResourceView,
  },
];

/** Likewise, what is a value. */
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

/** What is the same in every client. */
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
