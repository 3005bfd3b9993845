import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { renderProject } from "../../../src/commands/render-project.js";
import { nodeFiles } from "../../../src/files/node-files.js";
import { EventReceiver } from "../../../src/verify/event-log.js";
import type { Conformance } from "../../../src/verify/verdict.js";
import type { VerifyOptions } from "../../../src/verify/verify.js";
import { compile } from "../../mutants/mutated-services.js";
import { serviceFolder } from "../../support/service-folders.js";
import { ServiceHost } from "../../support/service-host.js";
import {
  fixtureModel,
  OF_NO_DATABASE,
  securedCallers,
  tenantCallers,
  verifyAt,
} from "../../mutants/verifying.js";
import { cases } from "../../support/thorough.js";
import { expectSuccess } from "../../support/expect-success.js";

const EXAMPLES = resolve("templates/examples");

const host = new ServiceHost();
afterAll(() => host.stop());

/** A line for each failure: empty where every rule holds. */
function failuresOf({ verdicts }: Conformance): string[] {
  return verdicts.flatMap(({ rule, failures }) =>
    failures.map(({ request, expected, got }) =>
      [rule, request.method, request.path, request.body, expected, got].join(" | "),
    ),
  );
}

function skippedOf({ verdicts }: Conformance): readonly string[] {
  return verdicts.filter(({ outcome }) => outcome === "skipped").map(({ rule }) => rule);
}

const FIXTURES = ["golden/compact", "golden/few-operations", "golden/levels"];
const MORE = ["contract", "golden/children", "golden/every-kind", "golden/references"];

test.each(cases({ usual: FIXTURES, long: [...FIXTURES, ...MORE] }))(
  "the service of fixtures/%s keeps every rule, and is left as it was found",
  async (fixture) => {
    const url = await host.start(serviceFolder(fixture));
    const model = await fixtureModel(fixture);
    const found = await verifyAt(model, url, { leave: false });
    expect(failuresOf(found)).toEqual([]);
    expect(found).toMatchObject({ left: [], untried: [] });
    for (const { resources } of model.versions) {
      for (const { path, operations, counted } of resources) {
        if (!operations.includes("list") || !counted) continue;
        const page = (await (await fetch(url + path)).json()) as { itemCount: number };
        expect(page.itemCount, path).toBe(0);
      }
    }
  },
);

test.each(cases({ usual: ["shop"], long: readdirSync(EXAMPLES) }))(
  "the example %s keeps every rule, with the business code that it comes with",
  async (example) => {
    const project = join(EXAMPLES, example);
    const { model, outputs } = expectSuccess(await renderProject(nodeFiles, project));
    const texts = Object.fromEntries(outputs.map(({ path, text }) => [path, text ?? ""]));
    for (const path of Object.keys(texts).filter((one) => one.startsWith("src/custom/"))) {
      const own = join(project, path.slice("src/".length));
      if (nodeFiles.exists(own)) texts[path] = readFileSync(own, "utf8");
    }
    const found = await verifyAt(model, await host.start(await compile(example, texts)), {
      leave: false,
    });
    expect(failuresOf(found)).toEqual([]);
    expect(found.left).toEqual([]);
  },
);

test("with --leave, what can not be deleted is tried as well, and told", async () => {
  const url = await host.start(serviceFolder("contract"));
  const found = await verifyAt(await fixtureModel("contract"), url, { rules: ["ENT-1", "STA-1"] });
  expect(failuresOf(found)).toEqual([]);
  expect(found.left.some(({ path }) => path.startsWith("/api/v1/logs/"))).toBe(true);
  expect(found.left.some(({ path }) => path.startsWith("/api/v1/orders/"))).toBe(true);
});

test("every rule holds in a tenant, and nothing of it is there for the callers of another", async () => {
  const found = await verifyTenants((tokens) => ({ tokens }));
  expect(failuresOf(found)).toEqual([]);
  expect(found).toMatchObject({ left: [], untried: [] });
  expect(found.verdicts.find(({ rule }) => rule === "AUT-4")).toMatchObject({
    outcome: "pass",
    reason: "",
  });
  const rules = ["AUT-4"];
  const alone = await verifyTenants((tokens) => ({ tokens: tokens.slice(0, 1), rules }));
  expect(alone.verdicts[0]).toMatchObject({
    outcome: "skipped",
    reason: "no token of another tenant was given: give one more with --token",
  });
});

/** Verifies the service of fixtures/tenants, which is started anew. */
async function verifyTenants(choose: (tokens: readonly string[]) => Partial<VerifyOptions>) {
  const { tokens, authentication } = await tenantCallers();
  const url = await host.start(serviceFolder("tenants"), { authentication });
  return verifyAt(await fixtureModel("tenants"), url, { leave: false, ...choose(tokens) });
}

test("every rule that is supported is tried on one of the services", async () => {
  const { tokens, authentication } = await securedCallers();
  const url = await host.start(serviceFolder("secured"), { authentication });
  const model = await fixtureModel("secured");
  const secured = await verifyAt(model, url, { tokens, leave: false });
  expect(failuresOf(secured)).toEqual([]);
  expect(secured.left).toEqual([]);
  const plain = await host.start(serviceFolder("contract"));
  // Its other rules are tried with PostgreSQL: test/database/verify.
  const wanted = { rules: [...skippedOf(secured), ...OF_NO_DATABASE], leave: false };
  const contract = await verifyAt(await fixtureModel("contract"), plain, wanted);
  expect(failuresOf(contract)).toEqual([]);
  const bounded = await host.start(serviceFolder("limited"));
  const limited = await verifyAt(await fixtureModel("limited"), bounded, { leave: false });
  expect(failuresOf(limited)).toEqual([]);
  // LIM-2 leaves nothing of what a caller may send: the clean-up has to wait.
  const spent = await verifyAt(await fixtureModel("limited"), bounded, {
    rules: ["OPS-1", "LIM-2"],
    leave: false,
  });
  expect(failuresOf(spent)).toEqual([]);
  expect([...limited.left, ...spent.left]).toEqual([]);
  const events = new EventReceiver();
  const both = await host.start(serviceFolder("versions"), {}, await events.listen(0));
  const skipped = skippedOf(contract).filter((rule) =>
    [secured, limited].every((found) => skippedOf(found).includes(rule)),
  );
  const versions = await verifyAt(await fixtureModel("versions"), both, { leave: false, events });
  expect(failuresOf(versions)).toEqual([]);
  const rules = skipped.filter((rule) => skippedOf(versions).includes(rule));
  const tenants = await verifyTenants((given) => ({ tokens: given, rules }));
  expect([rules, failuresOf(tenants), skippedOf(tenants)]).toEqual([["AUT-4"], [], []]);
  events.close();
});
