import { rmSync } from "node:fs";
import type { RenderedProject } from "../../src/commands/render-project.js";
import { compilerErrors, serviceTexts, wholeService } from "../support/compiled-service.js";
import { serviceFolder } from "../support/service-folders.js";
import { ownTests } from "../support/own-tests.js";
import { writeTree } from "../support/read-tree.js";
import type { Failure } from "./trial-of-service.js";

/** What a service's own tests say on SQLite, and the compiler under the flags that it is shipped with. */
export async function testFailures(
  project: RenderedProject,
  name: string,
): Promise<readonly Failure[]> {
  const service = `random-services/tests-${name}`;
  const texts = project.outputs.map(({ path, text }) => [path, text ?? ""] as const);
  const code = Object.fromEntries(
    texts.filter(([path]) => path.startsWith("src/custom/") || path === "src/app.ts"),
  );
  const errors = await compilerErrors("random", {
    [`service${name}`]: await wholeService(project, code),
  });
  writeTree(serviceFolder(service), serviceTexts(project));
  try {
    const { passed, said } = await ownTests(service);
    const isEmpty = passed === 0 && said === "";
    return [errors, said, isEmpty ? "it has no tests" : ""].filter((text) => text !== "");
  } finally {
    rmSync(serviceFolder(service), { recursive: true, force: true });
  }
}
