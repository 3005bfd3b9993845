import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { list } from "tar";
import { expect, test } from "vitest";
import { packGenerator } from "../../src/commands/own-archives.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const ROOT = process.cwd();

/** The paths of what a service is given of the generator. */
async function packedPaths(): Promise<ReadonlySet<string>> {
  const archive = join(temporaryFolder(), "generator.tgz");
  await packGenerator(ROOT, archive);
  const paths = new Set<string>();
  list({
    file: archive,
    sync: true,
    onReadEntry: ({ path }) => paths.add(path.slice("package/".length)),
  });
  return paths;
}

test("every page that a page of the package links to is in the package", async () => {
  const paths = await packedPaths();
  const pages = [...paths].filter((path) => path.endsWith(".md"));
  const dead = pages.flatMap((page) => {
    const links = readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g);
    return [...links].flatMap(([, target = ""]) => {
      const path = posix.normalize(posix.join(posix.dirname(page), target));
      const isThere = paths.has(path) || [...paths].some((one) => one.startsWith(`${path}/`));
      return isThere ? [] : [`${page}: ${target}`];
    });
  });
  expect(dead).toEqual([]);
  expect(pages).toContain("README.md");
});
