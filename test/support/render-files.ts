import { renderProject, type RenderedProject } from "../../src/commands/render-project.js";
import { expectSuccess } from "./expect-success.js";
import type { Result } from "../../src/diagnostics/result.js";
import { MemoryFiles } from "../../src/files/memory-files.js";

/** Texts by path: a project's schemas, or what is emitted for them. */
export type Texts = Readonly<Record<string, string>>;

/** Renders a project that is given as texts by path; nothing touches the disk. */
export async function renderFiles(files: Texts): Promise<Result<RenderedProject>> {
  const placed = Object.entries(files).map(([path, text]) => [`/project/${path}`, text]);
  return renderProject(new MemoryFiles(Object.fromEntries(placed) as Texts), "/project");
}

/** The same for a project that has no mistake: throws, with the diagnostics, when it has one. */
export async function renderValid(files: Texts): Promise<RenderedProject> {
  return expectSuccess(await renderFiles(files));
}

/** Every text that is emitted, by path. */
export function emittedTexts({ outputs }: RenderedProject): Texts {
  return Object.fromEntries(outputs.map(({ path, text }) => [path, text ?? ""]));
}
