import fc from "fast-check";
import type { RenderedProject } from "../../src/commands/render-project.js";
import { randomProject } from "./random-schema.js";
import { renderFiles } from "./render-files.js";

/** Services of random schemas, the same ones for a seed; draws some more than are asked for, since names that clash are refused. */
export async function randomServices(count: number, seed: number): Promise<RenderedProject[]> {
  const services: RenderedProject[] = [];
  for (const files of fc.sample(randomProject, { numRuns: Math.ceil(count * 1.1), seed })) {
    const result = await renderFiles(files);
    if (result.ok) services.push(result.value);
  }
  return services;
}
