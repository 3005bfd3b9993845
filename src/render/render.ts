import type { Artifact, PiecedArtifact } from "../artifacts/artifact.js";
import {
  DOCUMENT_ARTIFACTS,
  ENTITY_ARTIFACTS,
  RESOURCE_ARTIFACTS,
  SERVICE_ARTIFACTS,
  STORAGE_ARTIFACTS,
  STORAGE_DATA,
  VERSION_ARTIFACTS,
} from "../artifacts/artifacts.js";
import { foldedJson, jsonText } from "../artifacts/json-text.js";
import { piecedText } from "../artifacts/pieces.js";
import { SCAFFOLD_ARTIFACTS, SCAFFOLD_DATA, type ScaffoldModel } from "../artifacts/scaffold.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { storageModel } from "../storage/storage-model.js";
import { TemplateEngine } from "./engine.js";
import { format } from "./format.js";
import { guard } from "./guard.js";
import { importedKernelFiles, kernelFiles } from "./kernel-files.js";
import type { OutputFile } from "./output-file.js";

/** What of an earlier run is as good as new. */
export interface Kept {
  /** Says whether all files of an entity or a resource are the same as the last run wrote, and there. */
  isKept(part: EntityModel | ResourceModel): boolean;
  /** What such a resource added to the file at `path`, or null where that is not known. */
  piece(path: string, resource: ResourceModel, name: string): string | null;
  /** The kernel files that the files of such a part import. */
  kernelFiles(part: EntityModel | ResourceModel): readonly string[];
}

const NOTHING_KEPT: Kept = { isKept: () => false, piece: () => null, kernelFiles: () => [] };

/** Every file of a service, and what of the kernel the files of each entity and resource import. */
export interface Rendered {
  /** Sorted by path. */
  readonly outputs: readonly OutputFile[];
  readonly kernelFiles: ReadonlyMap<EntityModel | ResourceModel, readonly string[]>;
}

/** Every file of a service; what is `kept` is not rendered. Nothing is read or written. */
export async function render(service: ServiceModel, kept: Kept = NOTHING_KEPT): Promise<Rendered> {
  const engine = new TemplateEngine();
  const files: OutputFile[] = [];
  const imported = new Map<EntityModel | ResourceModel, readonly string[]>();
  const renderPart = async <Part extends EntityModel | ResourceModel>(
    artifacts: readonly Artifact<Part>[],
    part: Part,
  ): Promise<void> => {
    const made = await partFiles(engine, artifacts, part, kept);
    imported.set(part, kept.isKept(part) ? kept.kernelFiles(part) : importedBy(made));
    files.push(...made);
  };
  for (const artifact of SERVICE_ARTIFACTS) {
    if (artifact.when?.(service) !== false) files.push(await rendered(engine, artifact, service));
  }
  const storage = storageModel(service);
  for (const artifact of STORAGE_ARTIFACTS) files.push(await rendered(engine, artifact, storage));
  for (const { owner, path, value } of STORAGE_DATA) {
    files.push({ path: path(storage), owner, text: foldedJson(value(storage)) });
  }
  const own = importedBy(files);
  for (const artifact of DOCUMENT_ARTIFACTS) files.push(pieced(artifact, service, kept));
  for (const entity of service.entities) await renderPart(ENTITY_ARTIFACTS, entity);
  for (const version of service.versions) {
    for (const artifact of VERSION_ARTIFACTS) {
      files.push(pieced(artifact, { service, version }, kept));
    }
    for (const resource of version.resources) {
      await renderPart(RESOURCE_ARTIFACTS, resource);
    }
  }
  files.push(...kernelFiles([...own, ...[...imported.values()].flat()]));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { outputs: files, kernelFiles: imported };
}

/** The kernel files that some files import, each once. */
function importedBy(files: readonly OutputFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ text }) => importedKernelFiles(text ?? "")))].sort();
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

async function partFiles<Part extends EntityModel | ResourceModel>(
  engine: TemplateEngine,
  artifacts: readonly Artifact<Part>[],
  part: Part,
  { isKept }: Kept,
): Promise<OutputFile[]> {
  const files: OutputFile[] = [];
  const kept = isKept(part);
  for (const artifact of artifacts) {
    if (artifact.when?.(part) === false) continue;
    const { owner } = artifact;
    if (kept) files.push({ path: artifact.path(part), owner, text: null });
    else files.push(await rendered(engine, artifact, part));
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
