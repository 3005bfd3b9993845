import { resolve } from "node:path";
import { FOLLOW } from "../../src/commands/migration-task.js";
import { projectMigrations } from "../../src/commands/project-migrations.js";
import type { RenderedProject } from "../../src/commands/render-project.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { renamedProperty } from "../../src/model/renamed-property.js";
import type { ResourceModel } from "../../src/model/resource-model.js";
import type { ServiceModel } from "../../src/model/service-model.js";
import { render } from "../../src/render/render.js";
import { expectSuccess } from "./expect-success.js";
import { readTree } from "./read-tree.js";
import { renderValid } from "./render-files.js";

/** What the new version calls properties of its resources: `{ orders: { customer: "buyer" } }`. */
export type Renames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is made of a project under `fixtures/`. */
export async function projectOf(name: string): Promise<RenderedProject> {
  const files = Object.entries(readTree(resolve("fixtures", name)));
  const schemas = files.filter(([path]) =>
    /^(?:service\.yaml|(?:resources|contract)\/)/.test(path),
  );
  return renderValid(Object.fromEntries(schemas));
}

/** The same with a second version, which no schema can ask for yet. */
export async function twoVersions(
  project: RenderedProject,
  renames: Renames,
): Promise<RenderedProject> {
  const model = withSecondVersion(project.model, renames);
  const { tree } = project;
  const nothing = new MemoryFiles({});
  const migrations = projectMigrations(nothing, "/project", { tree, model }, FOLLOW);
  const outputs = [...(await render(model)), ...expectSuccess(migrations).outputs];
  return { ...project, model, outputs };
}

/** A model of one version with a second one, `v2`: it shows the same entities, some properties under other names. */
function withSecondVersion(model: ServiceModel, renames: Renames): ServiceModel {
  const [first] = model.versions;
  if (first === undefined) throw new Error("the model has no version");
  const resources = first.resources.map((one) => inSecond(one, renames[one.name.plural] ?? {}));
  return { ...model, versions: [...model.versions, { ...first, name: "v2", resources }] };
}

function inSecond(resource: ResourceModel, names: Readonly<Record<string, string>>): ResourceModel {
  const { name, parent } = resource;
  const renamed = (path: string): string => {
    const [root = "", ...rest] = path.split(".");
    return [names[root] ?? root, ...rest].join(".");
  };
  return {
    ...resource,
    version: "v2",
    guardedChildren: resource.guardedChildren.map((one) => ({ ...one, servedVersion: "v2" })),
    source: atSecond(resource.source),
    path: atSecond(resource.path),
    properties: resource.properties.map((property) => {
      const own = names[property.name];
      return own === undefined ? property : renamedProperty(property, own, name.typeName);
    }),
    projection: resource.projection.map((one) => ({
      ...one,
      property: renamed(one.property),
    })),
    aliases: resource.aliases.map((alias) => ({
      ...alias,
      path: atSecond(alias.path),
      sort: alias.sort.map((key) => ({ ...key, path: renamed(key.path) })),
    })),
    parent: parent && { ...parent, path: atSecond(parent.path) },
  };
}

function atSecond(path: string): string {
  return path.replace("/v1/", "/v2/");
}
