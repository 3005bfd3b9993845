import type { Artifact, PiecedArtifact } from "../artifacts/artifact.js";
import {
  DOCUMENT_ARTIFACTS,
  RESOURCE_ARTIFACTS,
  SERVICE_ARTIFACTS,
  SETTINGS_ARTIFACTS,
  LIST_ARTIFACTS,
  PAIR_ARTIFACTS,
  VERSION_ARTIFACTS,
} from "../artifacts/artifacts.js";
import { ENTITY_ARTIFACTS } from "../artifacts/entity-artifacts.js";
import {
  CLIENT_ARTIFACTS,
  CLIENT_RESOURCE_ARTIFACTS,
} from "../artifacts/client/client-artifacts.js";
import { withImports } from "../artifacts/imports.js";
import { jsonText } from "../artifacts/json-text.js";
import { piecedText } from "../artifacts/pieces.js";
import { SCAFFOLD_ARTIFACTS, SCAFFOLD_DATA, type ScaffoldModel } from "../artifacts/scaffold.js";
import { settingsOf } from "../artifacts/settings-code.js";
import { ownPairsOf } from "../artifacts/custom-conversion-view.js";
import { listedService } from "../artifacts/entity-list.js";
import type { ResourceModel } from "../model/resource-model.js";
import { seenBy } from "../model/seen-by.js";
import type { ServiceModel } from "../model/service-model.js";
import { TemplateEngine } from "./engine.js";
import { format } from "./format.js";
import { guard } from "./guard.js";
import { InputHashes } from "./input-hashes.js";
import { keyOf, NOTHING_KEPT, type Kept } from "./kept.js";
import type { OutputFile } from "./output-file.js";

/** What artifacts are made of, and a hash of it. */
interface Input<Model> {
  readonly model: Model;
  readonly hash: string;
}

/** Every file of a service, sorted by path; what is `kept` is not rendered. Nothing is read or written. */
export async function render(
  service: ServiceModel,
  kept: Kept = NOTHING_KEPT,
): Promise<OutputFile[]> {
  const engine = new TemplateEngine();
  const head = comment(service.header);
  const hashes = new InputHashes();
  const files: OutputFile[] = [];
  const add = async <Model>(artifacts: readonly Artifact<Model>[], input: Input<Model>) => {
    for (const artifact of artifacts.filter(({ when }) => when?.(input.model) !== false)) {
      const key = keyOf(nameOf(artifact) + head, input.hash);
      files.push(
        await keptOrRendered({ engine, head }, artifact, { model: input.model, key }, kept),
      );
    }
  };
  const value = <Model extends object>(model: Model): Input<Model> => ({
    model,
    hash: hashes.value(model),
  });
  const whole = { model: service, hash: hashes.service(service) };
  const settings = settingsOf(service);
  await add(SERVICE_ARTIFACTS, whole);
  await add(SETTINGS_ARTIFACTS, value(settings));
  await add(LIST_ARTIFACTS, value(listedService(service)));
  for (const artifact of DOCUMENT_ARTIFACTS) files.push(pieced(artifact, whole, hashes, kept));
  for (const entity of service.entities) {
    await add(ENTITY_ARTIFACTS, { model: entity, hash: hashes.entity(entity) });
  }
  for (const version of service.versions) {
    // VER-4: a retired version has neither a document nor resources.
    if (version.status === "retired") continue;
    const hash = hashes.value([hashes.value(settings), hashes.version(version)]);
    const input = { model: { service: settings, version }, hash };
    for (const artifact of VERSION_ARTIFACTS.filter(({ when }) => when?.(input.model) !== false)) {
      files.push(pieced(artifact, input, hashes, kept));
    }
    const ofResource = (model: ResourceModel) => ({ model, hash: hashes.resource(model) });
    await add(service.client ? CLIENT_ARTIFACTS : [], input);
    const shown = service.client ? seenBy(version).resources : [];
    for (const one of shown) await add(CLIENT_RESOURCE_ARTIFACTS, ofResource(one));
    for (const one of version.resources) await add(RESOURCE_ARTIFACTS, ofResource(one));
    const pairs = version.resources.flatMap(ownPairsOf);
    for (const pair of pairs)
      await add(PAIR_ARTIFACTS, { model: pair, hash: hashes.ownPair(pair) });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function pieced<Model>(
  { owner, path, parts }: PiecedArtifact<Model>,
  { model, hash }: Input<Model>,
  hashes: InputHashes,
  kept: Kept,
): OutputFile {
  const file = path(model);
  const key = keyOf("whole", hash);
  const made = kept.made(file);
  if (made?.key === key) return { path: file, owner, text: null, made };
  const { text, cuts } = piecedText(parts(model), {
    keyOf: ({ resource, name }) => keyOf(name, hashes.resource(resource)),
    text: (piece) => kept.piece(file, piece),
  });
  return { path: file, owner, text, made: { key, cuts } };
}

/** What prints the files of one run. */
interface Printer {
  readonly engine: TemplateEngine;
  /** What stands above every generated file: `header` of service.yaml as a comment. */
  readonly head: string;
}

async function keptOrRendered<Model>(
  printer: Printer,
  artifact: Artifact<Model>,
  { model, key }: { readonly model: Model; readonly key: string },
  kept: Kept,
): Promise<OutputFile> {
  const path = artifact.path(model);
  const made = kept.made(path);
  if (made?.key === key) return { path, owner: artifact.owner, text: null, made };
  const file = await rendered(printer, artifact, model);
  return { ...file, made: { key } };
}

function nameOf<Model>(artifact: Artifact<Model>): string {
  return "print" in artifact ? artifact.name : artifact.template;
}

/** The code of a file, with the marks of what it imports. */
export function codeOf<Model>(
  engine: TemplateEngine,
  artifact: Artifact<Model>,
  model: Model,
): string {
  if ("print" in artifact) return artifact.print(model);
  return engine.render(artifact.template, guard(artifact.view(model), artifact.template));
}

async function rendered<Model>(
  { engine, head }: Printer,
  artifact: Artifact<Model>,
  model: Model,
): Promise<OutputFile> {
  const { owner, path, origins } = artifact;
  const file = path(model);
  const text = withImports(file, codeOf(engine, artifact, model), origins?.(model));
  const above = owner === "generator" ? head : "";
  return { path: file, owner, text: above + (await format(file, text)) };
}

/** Each line as a comment of its own, which nothing in it can end; "" without one. */
function comment(header: string | null): string {
  if (header === null) return "";
  return header
    .trimEnd()
    .split("\n")
    .map((line) => `${`// ${line}`.trimEnd()}\n`)
    .join("");
}

/** The files of a new service that are the user's from the start. */
export async function renderScaffold(model: ScaffoldModel): Promise<OutputFile[]> {
  const printer = { engine: new TemplateEngine(), head: "" };
  const files: OutputFile[] = [];
  for (const artifact of SCAFFOLD_ARTIFACTS) files.push(await rendered(printer, artifact, model));
  for (const { owner, path, value } of SCAFFOLD_DATA) {
    files.push({ path: path(model), owner, text: jsonText(value(model)) });
  }
  return files;
}
