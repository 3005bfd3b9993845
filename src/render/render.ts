import { kernel } from "#compiled/kernel";
import type { Artifact, PiecedArtifact } from "../artifacts/artifact.js";
import {
  DOCUMENT_ARTIFACTS,
  RESOURCE_ARTIFACTS,
  SERVICE_ARTIFACTS,
  VERSION_ARTIFACTS,
} from "../artifacts/artifacts.js";
import { jsonText } from "../artifacts/json-text.js";
import { piecedText } from "../artifacts/pieces.js";
import { SCAFFOLD_ARTIFACTS, SCAFFOLD_DATA, type ScaffoldModel } from "../artifacts/scaffold.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { TemplateEngine } from "./engine.js";
import { format } from "./format.js";
import { guard } from "./guard.js";
import type { OutputFile } from "./output-file.js";

/** What of an earlier run is as good as new. */
export interface Kept {
  /** Says whether all files of a resource are the same as the last run wrote, and there. */
  isKept(resource: ResourceModel): boolean;
  /** What such a resource added to the file at `path`, or null where that is not known. */
  piece(path: string, resource: ResourceModel, name: string): string | null;
}

const NOTHING_KEPT: Kept = { isKept: () => false, piece: () => null };

/** Every file of a service, sorted by path; what is `kept` is not rendered. Nothing is read or written. */
export async function render(
  service: ServiceModel,
  kept: Kept = NOTHING_KEPT,
): Promise<OutputFile[]> {
  const engine = new TemplateEngine();
  const files: OutputFile[] = [...kernelFiles()];
  for (const artifact of SERVICE_ARTIFACTS) files.push(await rendered(engine, artifact, service));
  for (const artifact of DOCUMENT_ARTIFACTS) files.push(pieced(artifact, service, kept));
  for (const version of service.versions) {
    for (const artifact of VERSION_ARTIFACTS) {
      files.push(pieced(artifact, { service, version }, kept));
    }
    for (const resource of version.resources) {
      files.push(...(await resourceFiles(engine, resource, kept.isKept(resource))));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function pieced<Model>(
  { owner, path, parts }: PiecedArtifact<Model>,
  model: Model,
  kept: Kept,
): OutputFile {
  const file = path(model);
  const { text, cuts } = piecedText(parts(model), ({ resource, name }) =>
    kept.isKept(resource) ? kept.piece(file, resource, name) : null,
  );
  return { path: file, owner, text, cuts };
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
    if (kept) files.push({ path: artifact.path(resource), owner, text: null });
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
