import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderProject } from "../../src/commands/render-project.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { failureText } from "./failure-text.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where the services of the tests stand, or those with seeded faults: inside the repository, so that they find its packages. */
export const SERVICES = process.env["TEST_SERVICES"] ?? join(root, "test/.services");

/** The services that tests start or read, made once for all of them. */
export const FIXTURES: readonly string[] = [
  "contract",
  "deprecated",
  "limited",
  ...readdirSync(join(root, "fixtures/golden")).map((name) => `golden/${name}`),
  "secured",
  "shop",
  "small-limits",
  "versions",
];

/** The folder of the service generated from a project under `fixtures/`, or an example: `golden/minimal`, `shop`. */
export function serviceFolder(fixture: string): string {
  return join(SERVICES, fixture);
}

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
  removeOthers(folder, wanted);
}

function projectFolder(name: string): string {
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
