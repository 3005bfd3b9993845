import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { serviceTexts, wholeService } from "../support/compiled-service.js";
import { FIXTURES, serviceFolder } from "../support/service-folders.js";
import { cases } from "../support/thorough.js";
import { ownTests } from "../support/own-tests.js";
import { randomServices } from "../support/random-services.js";
import { readTree, writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";

/** Of schemas that somebody could fulfil: a list of different values has to have enough of them. */
const SEED = 7;

/** Between them they have everything that the tests of a service are about, but tokens: those are below. */
const SMALL = ["every-kind", "versions"].map((name) => `golden/${name}`);

test.each(cases({ usual: SMALL, long: FIXTURES }))(
  "%s passes its own tests on SQLite",
  async (name) => {
    const { passed, said } = await ownTests(name);
    expect(said).toBe("");
    expect(passed).toBeGreaterThan(0);
  },
);

/** A test of one's own, as docs/custom-code.md shows how callers are known there. */
const CALLERS = `
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../generated/testing.js";

test("whoever has a token is known by it", async () => {
  const app = await createTestApp();
  try {
    const path = \`\${app.url}/api/v1/tickets\`;
    assert.equal((await fetch(path)).status, 401);
    const headers = await app.headersOf({ subject: "ann", roles: ["clerk", "tenant-acme"] });
    assert.equal((await fetch(path, { headers })).status, 200);
  } finally {
    await app.close();
  }
});
`;

/** Own code that refuses whoever has no role that the schemas do not name, and samples that say so. */
const TENANTS = {
  "src/custom/articles.ts": `import { forbidden } from "@rulebound/runtime";
import type { ArticleHooks } from "../generated/entities/articles/articles.hooks.js";

export const articles: ArticleHooks = {
  authorize(_operation, _article, { caller }) {
    if (!caller.roles.includes("tenant-acme")) throw forbidden();
  },
};
`,
  "test/samples.ts": `export const samples = {};

export const roles = ["tenant-acme"];
`,
};

test.each(cases({ usual: ["helpdesk"], long: ["shop", "helpdesk"] }))(
  "%s passes its tests with bearer tokens",
  async (example) => {
    const files = readTree(`templates/examples/${example}`);
    const settings = withBearer(files["service.yaml"] ?? "");
    const project = await renderValid({ ...files, "service.yaml": settings });
    const own = Object.entries(files).filter(([path]) => /^(?:src|custom)\//.test(path));
    const code = Object.fromEntries(
      own.map(([path, text]) => [path.replace(/^custom\//, "src/custom/"), text]),
    );
    const name = `bearer/${example}`;
    const tenants = example === "helpdesk" ? TENANTS : {};
    const instead = { ...code, ...tenants, "test/custom/callers.test.ts": CALLERS };
    writeTree(serviceFolder(name), await wholeService(project, instead));
    const { passed, said } = await ownTests(name, { folders: ["generated", "custom"] });
    expect(said).toBe("");
    expect(passed).toBeGreaterThan(0);
  },
);

/** service.yaml of an example with the block that the shop's has as a comment. */
function withBearer(settings: string): string {
  const shop = readFileSync("templates/examples/shop/service.yaml", "utf8");
  const [block = ""] = /(?:^# {3}.*\n)+/m.exec(shop) ?? [];
  expect(block).toContain("scheme: bearer");
  return settings.replace(/^authentication:\n.*\n/m, block.replaceAll(/^# {3}/gm, ""));
}

test("services of random schemas pass their own tests", async () => {
  const wanted = cases({ usual: 1, long: 5 });
  const services = await randomServices(wanted, SEED);
  expect(services.length).toBeGreaterThanOrEqual(wanted);
  for (const [index, service] of services.entries()) {
    const name = `random/${index}`;
    writeTree(serviceFolder(name), serviceTexts(service));
    const { passed, said } = await ownTests(name);
    expect(said, name).toBe("");
    expect(passed).toBeGreaterThan(0);
  }
});

test("a service passes its own tests on PostgreSQL, as npm test runs them", async () => {
  const name = cases({ usual: "golden/references", long: "shop" });
  const { passed, said } = await ownTests(name, {
    settings: { TEST_DATABASE_URL: inject("postgresUrl") },
    asShipped: true,
  });
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(0);
});

test("a database that is not there makes them fail", async () => {
  const { said } = await ownTests("small-limits", {
    settings: { TEST_DATABASE_URL: "postgres://127.0.0.1:1/none" },
  });
  expect(said).toContain("ECONNREFUSED");
});
