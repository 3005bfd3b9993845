import { kernel } from "#compiled/kernel";
import type { Artifact } from "../artifacts/artifact.js";
import {
  DOCUMENT_ARTIFACTS,
  RESOURCE_ARTIFACTS,
  SERVICE_ARTIFACTS,
  VERSION_ARTIFACTS,
} from "../artifacts/artifacts.js";
import { jsonText } from "../artifacts/json-text.js";
import { SCAFFOLD_ARTIFACTS, SCAFFOLD_DATA, type ScaffoldModel } from "../artifacts/scaffold.js";
import type { ResourceModel, ServiceModel } from "../model/service-model.js";
import { TemplateEngine } from "./engine.js";
import { format } from "./format.js";
import { guard } from "./guard.js";
import type { OutputFile } from "./output-file.js";

/**
 * Every file of a service, sorted by path. A resource that `isKept` is not rendered: its files are the same as the
 * last run wrote. Nothing is read or written.
 */
export async function render(
  service: ServiceModel,
  isKept: (resource: ResourceModel) => boolean = () => false,
): Promise<OutputFile[]> {
  const engine = new TemplateEngine();
  const files: OutputFile[] = [...kernelFiles()];
  for (const artifact of SERVICE_ARTIFACTS) files.push(await rendered(engine, artifact, service));
  for (const { owner, path, text } of DOCUMENT_ARTIFACTS) {
    files.push({ path: path(service), owner, text: text(service) });
  }
  for (const version of service.versions) {
    for (const { owner, path, value } of VERSION_ARTIFACTS) {
      const model = { service, version };
      files.push({ path: path(model), owner, text: jsonText(value(model)) });
    }
    for (const resource of version.resources) {
      files.push(...(await resourceFiles(engine, resource, isKept(resource))));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function resourceFiles(
  engine: TemplateEngine,
  resource: ResourceModel,
  kept: boolean,
): Promise<OutputFile[]> {
  const files: OutputFile[] = [];
  for (const artifact of RESOURCE_ARTIFACTS) {
    if (artifact.when?.(resource) === false) continue;
    const { owner } = artifact;
    // A user's file may have been deleted: its text must be there to make it again.
    if (kept && owner === "generator")
      files.push({ path: artifact.path(resource), owner, text: null });
    else files.push(await rendered(engine, artifact, resource));
  }
  return files;
}

async function rendered<Model>(
  engine: TemplateEngine,
  { template, owner, path, view }: Artifact<Model>,
  model: Model,
): Promise<OutputFile> {
  const text = engine.render(template, guard(view(model), template));
  const file = path(model);
  return { path: file, owner, text: await format(file, text) };
}

function kernelFiles(): OutputFile[] {
  return Object.entries(kernel).map(([name, text]) => ({
    path: `src/generated/kernel/${name}`,
    owner: "generator",
    text,
  }));
}

/** The files of a new service that are the user's from the start. */
export async function renderScaffold(model: ScaffoldModel): Promise<OutputFile[]> {
  const engine = new TemplateEngine();
  const files: OutputFile[] = [];
  for (const artifact of SCAFFOLD_ARTIFACTS) files.push(await rendered(engine, artifact, model));
  for (const { owner, path, value } of SCAFFOLD_DATA) {
    files.push({ path: path(model), owner, text: jsonText(value(model)) });
  }
  return files;
}
