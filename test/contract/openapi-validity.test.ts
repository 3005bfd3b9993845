import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { validate } from "@readme/openapi-parser";
import { expect, test } from "vitest";
import { PROJECTS, emittedText } from "../support/projects.js";
import { temporaryFolder } from "./support/temporary-folder.js";

test.each(PROJECTS)("the document of %s is valid OpenAPI", async (project) => {
  // The parser resolves references in place, and types what it takes.
  const copy: Parameters<typeof validate>[0] = JSON.parse(
    await emittedText(project, "openapi/v1.json"),
  );
  expect(await validate(copy)).toEqual({ valid: true, warnings: [], specification: "OpenAPI" });
});

test("a linter has nothing to say about any document, but for a licence that service.yaml does not name", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "redocly.yaml"), "extends: [recommended-strict]\n");
  const names = PROJECTS.map((project) => `${project.replaceAll("/", "-")}.json`);
  const unlicensed: string[] = [];
  for (const [index, project] of PROJECTS.entries()) {
    const text = await emittedText(project, "openapi/v1.json");
    writeFileSync(join(folder, names[index] ?? ""), text);
    if (!text.includes('"license": {')) unlicensed.push(names[index] ?? "");
  }
  expect(unlicensed.length).toBeLessThan(names.length);
  const said = await lint(folder, names);
  const ofLicences = said.filter((line) => line.includes("title=info-license,"));
  expect(said.filter((line) => !ofLicences.includes(line))).toEqual([]);
  // Under which licence an API is, is for the service's owner to say.
  expect(ofLicences).toHaveLength(unlicensed.length);
  const untrue = JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: 1 });
  writeFileSync(join(folder, "untrue.json"), untrue);
  expect(await lint(folder, ["untrue.json"])).not.toEqual([]);
});

/** What the linter reports, a line each; it is not asked for a newer version of itself. */
async function lint(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const program = resolve("node_modules/@redocly/cli/bin/cli.js");
  const parameters = [program, "lint", "--format=github-actions", ...files];
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd: folder, env: { ...process.env, ...quiet } };
  const { stdout } = await promisify(execFile)(process.execPath, parameters, options).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout.split("\n").filter((line) => line.startsWith("::"));
}
