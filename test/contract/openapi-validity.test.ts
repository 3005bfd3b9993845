import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { validate } from "@readme/openapi-parser";
import { expect, test } from "vitest";
import { PROJECTS, emittedText } from "../support/projects.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test.each(PROJECTS)("the document of %s is valid OpenAPI", async (project) => {
  // The parser resolves references in place, and types what it takes.
  const copy: Parameters<typeof validate>[0] = JSON.parse(
    await emittedText(project, "openapi/v1.json"),
  );
  expect(await validate(copy)).toEqual({ valid: true, warnings: [], specification: "OpenAPI" });
});

/** With what Spectral's `spectral:oas` asks for besides. */
const LINTED = `extends: [recommended-strict]
rules:
  info-contact: error
  operation-description: error
  operation-operationId: error
  operation-tag-defined: error
  operation-singular-tag: error
  tag-description: error
  path-declaration-must-exist: error
  parameter-description: error
`;
/** What an API is licensed under, and whom to ask, are for the owner of a service to say. */
const OF_THE_OWNER = /title=info-(?:license|contact),/;

test("a linter has nothing to say about any document, but for what service.yaml leaves out", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "redocly.yaml"), LINTED);
  const names = PROJECTS.map((project) => `${project.replaceAll("/", "-")}.json`);
  const left: string[] = [];
  for (const [index, project] of PROJECTS.entries()) {
    const text = await emittedText(project, "openapi/v1.json");
    writeFileSync(join(folder, names[index] ?? ""), text);
    const { info } = JSON.parse(text) as { info: object };
    left.push(...["license", "contact"].filter((word) => !(word in info)));
  }
  const said = await lint(folder, names);
  const ofOwners = said.filter((line) => OF_THE_OWNER.test(line));
  expect(said.filter((line) => !ofOwners.includes(line))).toEqual([]);
  expect(ofOwners).toHaveLength(left.length);
  expect(left.length).toBeLessThan(2 * names.length);
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
