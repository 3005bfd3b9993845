import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { after, before, test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";

import { startTestApp, type TestApp, type TestSetup, unlimited } from "./test-app.js";

/** The module with the tests of the rules, which is not part of a service. */
const GENERATOR = "@rulebound/generator/testing";

/** The rules in the generator's package: `src/cli/testing.ts` there. */
interface Contract {
  readonly rules: readonly Rule[];
  readonly versions: readonly string[];
  readonly roles: readonly string[];
  open(service: {
    readonly url: string;
    readonly tokens: readonly string[];
    readonly events: readonly object[];
  }): Promise<OpenContract>;
}

interface Rule {
  readonly id: string;
  readonly title: string;
}

interface OpenContract {
  attempt(rule: Rule): Promise<Outcome>;
  close(): { readonly requests: number; readonly summary: string };
}

interface Outcome {
  readonly outcome: "pass" | "fail" | "skipped";
  readonly reason: string;
  readonly failures: readonly { readonly version: string; readonly text: string }[];
}

const NOT_INSTALLED =
  "the package @rulebound/generator, which tries them, is not installed; all other tests are run";

/** Number of failures of a rule that are shown. */
const FEW = 3;

/**
 * Tests the contract on this service with real HTTP and a real database: each rule of `generator verify` in each version. Skips
 * all with a message if the generator's package is not installed.
 */
export async function contractTests<Provided extends object, OwnContext extends object>(
  setup: TestSetup<Provided, OwnContext>,
  root: URL,
): Promise<void> {
  const contract = await contractOf(root, setup.samples);
  if (contract === null) return test("the rules of the contract", { skip: NOT_INSTALLED });
  if (contract instanceof Error) return test("the schemas and the samples", () => fail(contract));
  const told = { held: 0, failed: 0, skipped: [] as string[] };
  let app: TestApp<Provided, OwnContext>;
  let open: OpenContract;
  before(async () => {
    const events: object[] = [];
    const deliver = (event: object): void => void events.push(event);
    app = await startTestApp({ ...setup, app: unlimited(setup.app) }, { events: { deliver } });
    const tokens = await tokensOf(app, contract.roles, setup.roles ?? []);
    open = await contract.open({ url: app.url, tokens, events });
  });
  after(async () => {
    const { requests, summary } = open?.close() ?? { requests: 0, summary: "" };
    await app?.close();
    const skipped = told.skipped.length === 0 ? "" : ` (${told.skipped.join("; ")})`;
    console.log(
      `The contract: ${told.held} rules held, ${told.failed} failed, ${told.skipped.length} not tried${skipped}; ${requests} requests.`,
    );
    if (summary !== "") console.log(summary);
  });
  for (const rule of contract.rules) {
    test(`${rule.id}: ${rule.title}`, async (context) => {
      const outcome = await open.attempt(rule);
      if (outcome.outcome === "pass") told.held += 1;
      if (outcome.outcome === "fail") told.failed += 1;
      if (outcome.outcome === "skipped") told.skipped.push(`${rule.id}: ${outcome.reason}`);
      await tell(context, outcome, contract.versions);
    });
  }
}

/** Returns null if the generator's package is not installed, or an error if the schemas or the samples have mistakes. */
async function contractOf(root: URL, samples: object): Promise<Contract | Error | null> {
  const path = generatorPath(root);
  if (path === null) return null;
  // The generator's package has the same version, and the types above.
  const generator = (await import(pathToFileURL(path).href)) as {
    contractOf(project: { readonly root: URL; readonly samples: object }): Promise<Contract>;
  };
  try {
    return await generator.contractOf({ root, samples });
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function generatorPath(root: URL): string | null {
  try {
    return createRequire(new URL("package.json", root)).resolve(GENERATOR);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/**
 * Returns the tokens of callers (AUT-2): one with all roles, one for each role if there are several, and two with none of them.
 * Each also has the other roles of test/samples.ts.
 */
async function tokensOf(
  { headersOf }: Pick<TestApp<object, object>, "headersOf">,
  roles: readonly string[],
  given: readonly string[],
): Promise<readonly string[]> {
  const beside = given.filter((role) => !roles.includes(role));
  const callers = [roles, ...(roles.length > 1 ? roles.map((role) => [role]) : []), [], []];
  const headers = await Promise.all(
    callers.map(async (own) => headersOf({ subject: randomUUID(), roles: [...own, ...beside] })),
  );
  return headers.flatMap(({ authorization }) => authorization?.replace("Bearer ", "") ?? []);
}

/** Reports an outcome, with a subtest for each version if there are several. */
async function tell(
  context: TestContext,
  { outcome, reason, failures }: Outcome,
  versions: readonly string[],
): Promise<void> {
  if (outcome === "skipped") return context.skip(reason);
  if (reason !== "") context.diagnostic(reason);
  const among = (version: string) => failures.filter((one) => one.version === version);
  const others = failures.filter(({ version }) => !versions.includes(version));
  for (const version of versions.length > 1 ? versions : []) {
    await context.test(version, () => refuse(among(version)));
  }
  refuse(versions.length > 1 ? others : failures);
}

function refuse(failures: Outcome["failures"]): void {
  if (failures.length === 0) return;
  const shown = failures.slice(0, FEW).map(({ text }) => text);
  const more = failures.length - shown.length;
  fail(new Error(["", ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n")));
}

/** Removes the stack, which points to this file and not to the service. */
function fail(error: Error): never {
  error.stack = error.message;
  throw error;
}
