import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { renderProject } from "../../src/commands/render-project.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { expectSuccess } from "./expect-success.js";

/** Every project of the repository that a service is made from: those of tests, and the examples. */
export const PROJECTS: readonly string[] = [
  "fixtures",
  "fixtures/golden",
  "templates/examples",
].flatMap(projectsIn);

function projectsIn(folder: string): readonly string[] {
  const below = readdirSync(folder).map((name) => join(folder, name));
  return below.filter((project) => existsSync(join(project, "service.yaml")));
}

/** The text of one file that is emitted for a project. Throws when it is not. */
export async function emittedText(project: string, path: string): Promise<string> {
  const { outputs } = expectSuccess(await renderProject(nodeFiles, resolve(project)));
  const text = outputs.find((output) => output.path === path)?.text;
  if (typeof text !== "string") throw new Error(`${project} has no ${path}`);
  return text;
}
