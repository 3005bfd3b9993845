import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compiledClients } from "./generate-clients.js";

/** The most that the JavaScript of a client may take, compressed. */
const BYTES = 12 * 1024;

test("npm pack makes a small package of the client, which another project installs and uses", async () => {
  const folder = await compiledClients("fixtures/contract", "package");
  const client = resolve(folder, "client/v1");
  const project = resolve(folder, "project");
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  const npm = (cwd: string, ...words: string[]): string =>
    execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const [packed] = JSON.parse(npm(client, "pack", "--json", "--pack-destination", project)) as {
    filename: string;
    name: string;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error("npm packed nothing");
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  npm(project, "install", "--offline", "--no-audit", `./${packed.filename}`);
  const installed = join(project, "node_modules", packed.name);
  const scripts = packed.files.map(({ path }) => path).filter((path) => path.endsWith(".js"));
  const code = scripts.map((path) => readFileSync(join(installed, path), "utf8"));
  expect(packed.files.map(({ path }) => path)).toContain("dist/index.d.ts");
  expect(code.length).toBeGreaterThan(5);
  expect(code.filter((text) => /\b(?:node:|require\()/.test(text))).toEqual([]);
  expect(gzipSync(code.join("")).length).toBeLessThan(BYTES);
  writeFileSync(
    join(project, "use.js"),
    `import { createClient } from ${JSON.stringify(packed.name)};
     const fetch = async (url) => Response.json({ widgetId: "7", name: url });
     const { widgets } = createClient({ baseUrl: "http://shop.test", fetch });
     console.log((await widgets.read("7")).name);`,
  );
  const use = execFileSync(process.execPath, ["use.js"], { cwd: project, encoding: "utf8" });
  expect(use).toMatch(/^http:\/\/shop\.test\/\S+\/widgets\/7\n$/);
});
