import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minimalSize, MOST, roomSizes, sizeFindings, trackedFiles } from "./sizes.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";

test("no room holds more than its limit", ({ skip }) => {
  const tracked = trackedFiles();
  if (tracked === null) return skip("only git tells which files are tracked, and there is none");
  const sizes = roomSizes(tracked);
  expect(Object.values(sizes).filter(({ files, lines }) => files === 0 || lines === 0)).toEqual([]);
  expect(sizeFindings(sizes)).toEqual([]);
});

test("a new service is not larger than its limit", async () => {
  const size = await minimalSize();
  expect(Object.keys(size).filter((name) => !(name in MOST))).toEqual([]);
  expect(sizeFindings(size)).toEqual([]);
});

test("a room that is too large is named, with what to do", () => {
  const most = { src: { files: 2, lines: 10 }, bin: { files: 1, lines: 5 } };
  const sizes = { src: { files: 2, lines: 13 }, bin: { files: 1, lines: 5 } };
  expect(sizeFindings(sizes, most)).toEqual([
    "src: 13 lines, 3 too many. Remove something, or raise the number in test/architecture/sizes.ts and say in the commit what earned it.",
  ]);
  expect(sizeFindings({ bin: { files: 2, lines: 5 } }, most)).toHaveLength(1);
  expect(sizeFindings({ attic: { files: 1, lines: 0 } }, most)).toHaveLength(1);
});

test("a source archive, which is without git, has no tracked files", () => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  try {
    expect(trackedFiles(folder)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  { path: "src/cli/main.ts", room: "src" },
  { path: `${RUNTIME_SOURCE}/http/server.ts`, room: "runtime" },
  { path: `${RUNTIME_SOURCE}/testing/test-app.ts`, room: "templates" },
  { path: "templates/service/app.ts.hbs", room: "templates" },
])("$path stands in $room", ({ path, room }) => {
  const filled = Object.entries(roomSizes([path])).filter(([, { files }]) => files > 0);
  expect(filled.map(([name]) => name)).toEqual([room, "all"]);
});
