import { beforeAll, expect, test } from "vitest";
import {
  REQUEST_PAGE,
  requestSteps,
  withPicture,
  type RequestStep,
} from "../architecture/request-page.js";
import { requestPaths, type RequestPath } from "../architecture/request-paths.js";
import { textOf } from "../architecture/source-tree.js";
import { diagramsIn, parseDiagram } from "../support/mermaid.js";

const PAGE = textOf(REQUEST_PAGE);
let paths: Readonly<Record<string, RequestPath>> = {};

beforeAll(async () => {
  paths = await requestPaths();
});

test("each step of the page runs in a PATCH", () => {
  const steps = requestSteps(PAGE);
  expect(steps).toHaveLength(12);
  const isRun = ({ file, first }: RequestStep): boolean => {
    const run = paths.PATCH?.get(`src/runtime/${file}`) ?? [];
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
  const files = [...(paths[method]?.keys() ?? [])];
  expect(files.length).toBeGreaterThan(0);
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});
