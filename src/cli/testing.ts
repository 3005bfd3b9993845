import { fileURLToPath } from "node:url";
import { createColors } from "picocolors";
import { readModel } from "../commands/read-model.js";
import { moduleSamples } from "../commands/read-samples.js";
import { format } from "../diagnostics/format.js";
import type { Result } from "../diagnostics/result.js";
import { nodeFiles } from "../files/node-files.js";
import { grantsOf } from "../kinds/access-model.js";
import type { ServiceModel } from "../model/service-model.js";
import type { EventLog } from "../verify/event-log.js";
import type { Failure, Verdict } from "../verify/verdict.js";
import { openRun, triedRules, type TriedRule, type VerifyRun } from "../verify/verify.js";
import { failureText, summaryText } from "./print-conformance.js";
import { thisMachine } from "./this-machine.js";

// The door that the tests of a service come through: `@rulebound/generator/testing`.

/** Further failures of one rule say nothing new. */
const MOST_FAILURES = 20;
/** A quarter of an hour: the rules that are left then fail, as stopped. */
const MOST_MILLISECONDS = 900_000;
/** What is counted is not limited in tests, which send more than a caller may. */
const NOT_TRIED = new Set(["LIM-2"]);

/** The project whose service is tried. */
export interface Project {
  /** Its folder, as a `file:` URL. */
  readonly root: URL;
  /** What test/samples.ts exports. */
  readonly samples: object;
}

/** What the contract asks of a service. */
export interface ContractOfService {
  readonly rules: readonly TriedRule[];
  /** Of the schemas: `v1`. */
  readonly versions: readonly string[];
  /** The roles that they name. */
  readonly roles: readonly string[];
  /** Begins to try the service that listens there. */
  open(service: ServiceUnderTest): Promise<OpenContract>;
}

/** A service that runs for its tests. */
export interface ServiceUnderTest {
  readonly url: string;
  /** Of callers; none: it asks nobody. */
  readonly tokens: readonly string[];
  /** EVT-1: its events, as they come. */
  readonly events: EventLog["received"];
}

/** A service whose rules are tried one by one. */
export interface OpenContract {
  attempt(rule: TriedRule): Promise<RuleOutcome>;
  /** Ends it; the number of requests that were sent, and what to read first: "" where all is well. */
  close(): { readonly requests: number; readonly summary: string };
}

/** What became of a rule. */
export interface RuleOutcome {
  readonly outcome: "pass" | "fail" | "skipped";
  /** Why it was not tried, or not all of it; "" where it was. */
  readonly reason: string;
  /** What was sent, expected and answered, each in lines of its own, by the version whose path was asked; "" for what none has. */
  readonly failures: readonly { readonly version: string; readonly text: string }[];
}

/** Reads the schemas and samples of a project. Throws an error that tells each mistake in them. */
export async function contractOf({ root, samples }: Project): Promise<ContractOfService> {
  const place = { files: nodeFiles, root: fileURLToPath(root) };
  const read = valueOf(await readModel(place.files, place.root));
  const model = withoutCounting(read.model);
  const given = valueOf(moduleSamples("test/samples.ts", samples, { ...place, read }));
  const { run, now } = thisMachine();
  return {
    rules: triedRules([]).filter(({ id }) => !NOT_TRIED.has(id)),
    versions: model.versions.map(({ name }) => name),
    roles: rolesOf(model),
    open: async ({ url, tokens, events: received }) => {
      const opened = await openRun(model, {
        url: new URL(url),
        tokens,
        samples: given,
        events: { received },
        leave: true,
        mostFailures: MOST_FAILURES,
        run: run.token,
        now,
        signal: AbortSignal.timeout(MOST_MILLISECONDS),
        tellWait: () => undefined,
      });
      return openContract(opened, model.basePath);
    },
  };
}

function openContract(run: VerifyRun, basePath: string): OpenContract {
  const verdicts: Verdict[] = [];
  return {
    attempt: async (rule) => {
      const verdict = await run.attempt(rule);
      const { outcome, reason, failures } = verdict;
      verdicts.push(verdict);
      return { outcome, reason, failures: failures.map((one) => failureOf(one, basePath)) };
    },
    // The database goes with the test.
    close: () => ({ requests: run.abandon(), summary: summaryText(verdicts) }),
  };
}

function failureOf(failure: Failure, basePath: string): RuleOutcome["failures"][number] {
  const { path } = failure.request;
  const below = path.startsWith(basePath) ? path.slice(basePath.length) : path;
  const [, version = ""] = /^\/(v\d+)(?:\/|$)/.exec(below) ?? [];
  return { version, text: failureText(failure, createColors(false)) };
}

function withoutCounting(model: ServiceModel): ServiceModel {
  return { ...model, limits: { ...model.limits, requestsPerMinute: null } };
}

function rolesOf({ versions }: ServiceModel): readonly string[] {
  const grants = versions.flatMap(({ resources }) =>
    resources.flatMap(({ access, actions }) => [
      ...grantsOf(access),
      ...actions.flatMap((action) => action.access),
    ]),
  );
  const roles = grants.flatMap((grant) => /^(?:parent:)*role:(.*)$/.exec(grant)?.[1] ?? []);
  return [...new Set(roles)];
}

function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(format(result.diagnostics));
}
