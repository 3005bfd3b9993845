import { join } from "node:path";
import { didYouMean } from "../diagnostics/advice.js";
import { diagnostic, placed, type Diagnostic, type Place } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { sha256 } from "../files/hash.js";
import type { ServiceModel } from "../model/service-model.js";
import { nearest } from "../naming/nearest.js";
import { EJECTED, NOTHING_EJECTED, type Ejected, type EjectedTemplate } from "../render/ejected.js";
import type { Kept } from "../render/kept.js";
import type { OutputFile } from "../render/output-file.js";
import { TemplateMistake } from "../render/print-template.js";
import { render } from "../render/render.js";
import type { TextPlace } from "../render/template-piece.js";

/** Reads the templates that a project has of its own; warns of those whose base has moved on. */
export async function readEjected(files: FileSystem, root: string): Promise<Result<Ejected>> {
  const paths = templatePaths(files, root, EJECTED);
  if (paths.length === 0) return success(NOTHING_EJECTED);
  // Few projects have any.
  const modules = await Promise.all([
    import("../render/parse-template.js"),
    import("../render/template-sources.js"),
  ]);
  const [{ parseTemplate }, { digestOf, ejectable, markedBase, templateSource }] = modules;
  const found: Diagnostic[] = [];
  const templates = new Map<string, EjectedTemplate>();
  for (const path of paths) {
    const name = path.slice(EJECTED.length + 1, -".hbs".length);
    const source = ejectable().includes(name) ? templateSource(name) : null;
    if (source === null) {
      found.push(unknownTemplate(path, name, ejectable()));
      continue;
    }
    const text = files.readText(join(root, path));
    const parsed = parseTemplate(text);
    if (parsed.ok) templates.set(name, { path, text, pieces: parsed.pieces });
    else found.push(placed(parsed.mistake, placeIn(path, text, parsed.place)));
    const base = markedBase(text);
    if (base !== null && base !== digestOf(source)) found.push(outdated(path, text, name));
  }
  const errors = found.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return failure(found);
  const digest = sha256([...templates].map(([name, { text }]) => `${name}\0${text}`).join("\0"));
  return success({ templates, digest }, found);
}

/** Renders with the project's own templates; a mistake in one of them is told at its place. */
export async function renderEjected(
  model: ServiceModel,
  kept: Kept,
  ejected: Ejected,
): Promise<Result<readonly OutputFile[]>> {
  try {
    return success(await render(model, kept, ejected));
  } catch (error) {
    if (!(error instanceof TemplateMistake)) throw error;
    const own = [...ejected.templates.values()].find(({ path }) => path === error.path);
    const { path = EJECTED, text = "" } = own ?? {};
    return failure([placed(error.mistake, placeIn(path, text, error.place))]);
  }
}

/** Every file of the folder that is a template; what else stands there is nobody's. */
function templatePaths(files: FileSystem, root: string, folder: string): string[] {
  if (files.lstat(join(root, folder))?.kind !== "directory") return [];
  return files.list(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    const kind = files.lstat(join(root, path))?.kind;
    if (kind === "directory") return templatePaths(files, root, path);
    return kind === "file" && name.endsWith(".hbs") ? [path] : [];
  });
}

function unknownTemplate(path: string, name: string, known: readonly string[]): Diagnostic {
  const near = nearest(name, known);
  const suggestion =
    near === null ? "`generator eject` lists those that there are." : didYouMean(near);
  return diagnostic("SCH-263", placeIn(path, "", { line: 1, column: 1 }), { name }, { suggestion });
}

function outdated(path: string, text: string, name: string): Diagnostic {
  const place = placeIn(path, text, { line: 1, column: 1 });
  const suggestion = `\`generator eject ${name}\` writes the present one beside it, ${path}.new: take over what has changed, and its first line.`;
  return diagnostic("SCH-267", place, { name }, { severity: "warning", suggestion });
}

function placeIn(file: string, source: string, { line, column }: TextPlace): Place {
  const length = source.split("\n")[line - 1]?.length ?? 0;
  const endColumn = Math.max(length, column) + 1;
  return { span: { file, line, column, endLine: line, endColumn }, source };
}
