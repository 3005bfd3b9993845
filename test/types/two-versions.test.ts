import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import type { Texts } from "../support/render-files.js";
import { projectOf, twoVersions, type Renames } from "../support/second-version.js";

/** A project, and what its second version calls things otherwise: plain ones, unique ones, references, states. */
const CASES: readonly { readonly name: string; readonly renames: Renames }[] = [
  {
    name: "golden/representation",
    renames: { orders: { customer: "buyer", status: "step", deliveryAddress: "shipTo" } },
  },
  {
    name: "golden/children",
    renames: { orders: { customer: "buyer" }, customers: { name: "fullName" } },
  },
  {
    name: "secured",
    renames: { labels: { vault: "safe", others: "safes" }, parcels: { label: "title" } },
  },
];

async function emitted(name: string, renames: Renames): Promise<{ one: Texts; two: Texts }> {
  const project = await projectOf(name);
  const two = await twoVersions(project, renames);
  return { one: await wholeService(project), two: await wholeService(two) };
}

test.each(CASES)(
  "two versions of $name have one table, one store and one file of the user's each",
  async ({ name, renames }) => {
    const { one, two } = await emitted(name, renames);
    const isShared = (path: string): boolean =>
      /^(?:src\/(?:custom|generated\/entities)|migrations)\//.test(path);
    const shared = (texts: Texts): Texts =>
      Object.fromEntries(Object.entries(texts).filter(([path]) => isShared(path)));
    expect(Object.keys(shared(one)).length).toBeGreaterThan(8);
    expect(shared(two)).toEqual(shared(one));
  },
);

test.each(CASES)("each version of $name has its own controllers", async ({ name, renames }) => {
  const { one, two } = await emitted(name, renames);
  const controllers = (texts: Texts, version: string): string[] =>
    Object.keys(texts)
      .filter((path) => path.startsWith(`src/generated/${version}/`))
      .map((path) => path.replace(`/${version}/`, "/v1/"));
  expect(controllers(two, "v1")).toEqual(controllers(one, "v1"));
  const added = new Set(controllers(two, "v2"));
  // Another name for a reference is told in a file of its own.
  const all = controllers(one, "v1").filter((path) => !added.has(path));
  expect(all).toEqual([]);
});

test.each(CASES)("two versions of $name compile together", async ({ name, renames }) => {
  const { two } = await emitted(name, renames);
  const errors = await compilerErrors(`versions-${name.replace("/", "-")}`, { two });
  expect(errors).toBe("");
});
