import { expect, test } from "vitest";
import { SERVICE_SOURCES } from "../support/runtime.js";
import { filesBelow, textOf } from "./source-tree.js";

test("every rule that emitted code names is explained in docs/contract.md of the package", () => {
  const page = textOf("docs/contract.md");
  const named = SERVICE_SOURCES.flatMap(filesBelow).flatMap((path) => {
    const ids = textOf(path).match(/\b(?!UTF|SHA)[A-Z]{3}-[1-9]\d*\b/g) ?? [];
    return ids.filter((id) => !page.includes(`### ${id}: `)).map((id) => `${path}: ${id}`);
  });
  expect(named).toEqual([]);
});
