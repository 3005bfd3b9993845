import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import {
  REQUEST_PAGE,
  requestSteps,
  withPicture,
  type RequestStep,
} from "../architecture/request-page.js";
import { textOf } from "../architecture/source-tree.js";
import { diagramsIn, parseDiagram } from "../support/mermaid.js";

const PAGE = textOf(REQUEST_PAGE);
const PRINT = ["--import", "tsx", "test/architecture/print-request-paths.ts", "--json"];
/** The functions that run for a request of each method, by file. */
let paths: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {};

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, PRINT);
  paths = JSON.parse(stdout) as typeof paths;
});

test("each step of the page runs in a PATCH", () => {
  const steps = requestSteps(PAGE);
  expect(steps).toHaveLength(12);
  const isRun = ({ file, first }: RequestStep): boolean => {
    const run = paths["PATCH"]?.[`src/runtime/${file}`] ?? [];
    return run.includes(first) || run.includes(`get ${first}`);
  };
  expect(steps.filter((step) => !isRun(step))).toEqual([]);
});

test("the picture of the page is what the imports are now", async () => {
  expect(withPicture(PAGE)).toBe(PAGE);
  const [picture = ""] = diagramsIn(PAGE);
  expect(await parseDiagram(picture)).toBe("flowchart-v2");
});

test.each([
  ["GET", 24],
  ["POST", 40],
  ["PATCH", 41],
])("a %s of the minimal service runs through at most %i files", (method, most) => {
  const files = Object.keys(paths[method] ?? {});
  expect(files.length).toBeGreaterThan(0);
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});
