import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileSystem } from "../../../src/files/file-system.js";
import { isInside } from "../../../src/files/is-inside.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { nodeFiles } from "../../../src/files/node-files.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const SYSTEMS: readonly { name: string; open: () => { files: FileSystem; root: string } }[] = [
  { name: "memory", open: () => ({ files: new MemoryFiles({ "/r/keep": "" }), root: "/r" }) },
  {
    name: "node",
    open: () => {
      const root = temporaryFolder();
      nodeFiles.writeFile(join(root, "keep"), "");
      return { files: nodeFiles, root };
    },
  },
];

test.each(SYSTEMS)("$name: what is written can be read, listed, moved and removed", ({ open }) => {
  const { files, root } = open();
  const path = (name: string): string => join(root, name);
  files.makeDirectory(path("a/b"));
  files.writeFile(path("a/b/Z"), "zé");
  files.writeFile(path("a/b/a"), "a");
  expect(files.list(path("a/b"))).toEqual(["Z", "a"]);
  expect(files.readText(path("a/b/Z"))).toBe("zé");
  expect(files.lstat(path("a/b/Z"))).toMatchObject({ kind: "file", size: 3 });
  expect(files.lstat(path("a/b"))).toMatchObject({ kind: "directory" });
  expect(files.lstat(path("nothing"))).toBe(null);
  files.flush(path("a/b/Z"));
  files.rename(path("a/b/Z"), path("a/b/y"));
  expect(files.exists(path("a/b/Z"))).toBe(false);
  expect(files.removeEmptyDirectory(path("a/b"))).toBe(false);
  files.remove(path("a/b/y"));
  files.remove(path("a/b/a"));
  files.remove(path("a/b/never"));
  expect(files.removeEmptyDirectory(path("a/b"))).toBe(true);
  expect(() => files.readText(path("a/b/y"))).toThrow("ENOENT");
  expect(() => files.writeFile(path("a/b/y"), "")).toThrow("ENOENT");
});

test("links in memory are followed by realPath and by nothing that asks what they are", () => {
  const files = new MemoryFiles({ "/r/a/file": "x" });
  files.link("/r/link", "a");
  files.link("/r/loop", "loop");
  expect(files.lstat("/r/link")?.kind).toBe("link");
  expect(files.realPath("/r/link/file")).toBe("/r/a/file");
  expect(files.readText("/r/link/file")).toBe("x");
  expect(() => files.realPath("/r/loop")).toThrow("ELOOP");
});

test.each([
  ["/r", true],
  ["/r/a", true],
  ["/r/..a", true],
  ["/r/../r/a", true],
  ["/r/..", false],
  ["/r/../other", false],
  ["/rr", false],
])("%s is inside /r: %s", (path, want) => {
  expect(isInside("/r", path)).toBe(want);
});
