import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderProject } from "../../src/commands/render-project.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { failureText } from "./failure-text.js";
import { readTree } from "./read-tree.js";
import { serviceFolder } from "./service-folders.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Generates the service of a fixture into its folder; a file whose text is right already is left alone. */
export async function generateService(fixture: string): Promise<void> {
  const schemas = projectFolder(fixture);
  const project = await renderProject(nodeFiles, schemas);
  if (!project.ok) throw new Error(failureText(fixture, project.diagnostics));
  const folder = serviceFolder(fixture);
  const wanted = new Set<string>();
  for (const { path, text: emitted } of project.value.outputs) {
    const target = join(folder, path);
    wanted.add(target);
    mkdirSync(dirname(target), { recursive: true });
    // An example has code of its own, where `init` puts it.
    const text = currentText(join(schemas, path.replace(/^src\/custom\//, "custom/"))) ?? emitted;
    if (text !== null && currentText(target) !== text) writeFileSync(target, text);
  }
  // The tests of a service read its schemas.
  for (const [path, text] of Object.entries(readTree(schemas)).filter(([path]) =>
    SOURCES.test(path),
  )) {
    const target = join(folder, path);
    wanted.add(target);
    mkdirSync(dirname(target), { recursive: true });
    if (currentText(target) !== text) writeFileSync(target, text);
  }
  removeOthers(folder, wanted);
}

const SOURCES = /^(?:service\.yaml$|resources\/|contract\/)/;

/** The folder of the schemas of a fixture or an example. */
export function projectFolder(name: string): string {
  const example = join(root, "templates/examples", name);
  return existsSync(example) ? example : join(root, "fixtures", name);
}

function currentText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Files of an earlier run that no template makes any more. */
function removeOthers(folder: string, wanted: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !wanted.has(path)) rmSync(path);
  }
}
