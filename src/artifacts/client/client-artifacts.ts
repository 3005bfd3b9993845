import type { ResourceModel } from "../../model/resource-model.js";
import type { Artifact, PiecedArtifact } from "../artifact.js";
import { plainView } from "../custom-view.js";
import type { Exports } from "../imports.js";
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
    modules: coreModules,
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

/** The exports of the core that the file of a resource may use. */
function coreModules({ version }: ResourceModel): Exports[] {
  const core = `client/${version}/src/core`;
  const options = ["Action", "Create", "Entity", "Matched", "MatchedUpdate", "Update"];
  const pages = ["CountedPage", "Page", "Paging"];
  const checks = ["countedPageOf()", "entityWith()", "isNothing", "isObject", "pageOf()"];
  const types = ["Change", "EntityFields", "Filter"];
  return [
    {
      from: `${core}/answers.ts`,
      names: [...pages.map((type) => `type ${type}`), ...checks],
    },
    {
      from: `${core}/options.ts`,
      names: ["type Send", ...options.map((of) => `type ${of}Options`)],
    },
    {
      from: `${core}/resource.ts`,
      names: [...types.map((type) => `type ${type}`), "lists()", "path", "update()"],
    },
  ];
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
