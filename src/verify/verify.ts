import { seenBy } from "../model/seen-by.js";
import type { ServiceModel } from "../model/service-model.js";
import { RULES, type Rule } from "../rules/rules.js";
import { callerOf, NOBODY } from "./caller.js";
import type { Check } from "./check.js";
import { CHECKS } from "./checks.js";
import { cleanUpAll, relieve } from "./clean-up.js";
import type { EventLog } from "./event-log.js";
import { HttpClient } from "./http-client.js";
import { Patience } from "./patience.js";
import { probe, probeTokens } from "./probe.js";
import type { Samples } from "./samples.js";
import { Interrupted, Session } from "./session.js";
import { Enough, Trial } from "./trial.js";
import type { Conformance, Verdict } from "./verdict.js";
import { runIn, tenanciesOf } from "./tenancies.js";
import { versionsOf } from "./versions-of.js";

/** How many seconds a run waits in all for a service that counts its callers, by its schema. */
const MOST_WAITS = 3600;
/** And for one that answers 429 though its schema does not say so. */
const MOST_UNASKED_WAITS = 120;

/** What to verify, and how. */
export interface VerifyOptions {
  /** Where the service is: `http://127.0.0.1:3000`. */
  readonly url: URL;
  /** Bearer tokens; several show more of who may do what (AUT-2), and those of two tenants whom an entity is there for (AUT-4). */
  readonly tokens: readonly string[];
  /** Only these rules; none: all. */
  readonly rules: readonly string[];
  /** The number of failures after which a rule is given up. */
  readonly mostFailures: number;
  /** Also creates entities that cannot be deleted again. */
  readonly leave: boolean;
  /** Values that own code accepts. */
  readonly samples: Samples;
  /** Where the events of the service come; null: nowhere (EVT-1). */
  readonly events: EventLog | null;
  /** Unique for the run: a UUID. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends the run early; created entities are deleted all the same. */
  readonly signal: AbortSignal;
  /** Called before each rule, with how many were tried before it. */
  readonly tellBegin: (rule: TriedRule, tried: number, all: number) => void;
  /** Called with each verdict as soon as it is known. */
  readonly tell: (verdict: Verdict) => void;
  /** Called now and then while a service answers 429, with the seconds that it was waited for in all. */
  readonly tellWait: (seconds: number) => void;
}

/** A run against one service, which tries rules one by one. */
export interface VerifyRun {
  /** Throws `Interrupted` if the run was stopped. */
  attempt(rule: TriedRule): Promise<Verdict>;
  /** Deletes what was made; says what is left of it. */
  end(): Promise<Pick<Conformance, "requests" | "left">>;
  /** Ends it as it is; the number of requests. */
  abandon(): number;
}

/** A rule that can be seen from outside. */
export type TriedRule = Pick<Rule, "id" | "title">;

/** Those among some, in their order; among none of them: all. */
export function triedRules(among: readonly string[]): readonly TriedRule[] {
  return RULES.filter(({ id, verified }) => verified && (among.length === 0 || among.includes(id)));
}

/** Begins a run. Throws `Unreachable` if no service with this schema answers, or one that refuses a token. */
export async function openRun(
  service: ServiceModel,
  options: Omit<VerifyOptions, "rules" | "tell" | "tellBegin">,
): Promise<VerifyRun> {
  const model = { ...service, versions: service.versions.map(seenBy) };
  const isCounting = model.limits.requestsPerMinute !== null;
  const patience = new Patience(isCounting ? MOST_WAITS : MOST_UNASKED_WAITS, options.tellWait);
  const client = new HttpClient(options.url, patience);
  const tokens = options.tokens.map((token) => callerOf(token, model));
  const { home, others, nameless } = tenanciesOf(tokens.length === 0 ? [NOBODY] : tokens);
  const shared = { model, versions: versionsOf(service), client, ...options };
  const strangers = others.map((callers) => {
    const run = runIn(callers, options.run);
    return new Session({ ...shared, callers, run, strangers: [], nameless: [] });
  });
  const session = new Session({ ...shared, callers: home, strangers, nameless });
  try {
    await probe(client, model);
    await probeTokens(client, model, tokens);
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    attempt: async ({ id, title }) => {
      const check = CHECKS.find(({ rule }) => rule === id);
      if (check === undefined) return notTried(id, title);
      const verdict = await verdictOf(check, title, new Trial(session, options.mostFailures));
      for (const one of [...strangers, session]) await relieve(one);
      return verdict;
    },
    end: async () => {
      const left = await cleanUpAll(session);
      client.close();
      return { requests: session.requests, left };
    },
    abandon: () => {
      client.close();
      return session.requests;
    },
  };
}

/**
 * Tries every rule on a running service that can be seen from outside, and deletes what it made.
 * Throws `Unreachable` if no service with this schema answers, or one that refuses a token.
 */
export async function verify(service: ServiceModel, options: VerifyOptions): Promise<Conformance> {
  const run = await openRun(service, options);
  const rules = triedRules(options.rules);
  const verdicts: Verdict[] = [];
  try {
    for (const [index, rule] of rules.entries()) {
      options.tellBegin(rule, index, rules.length);
      const verdict = await run.attempt(rule);
      verdicts.push(verdict);
      options.tell(verdict);
    }
  } catch (error) {
    const ended = await run.end();
    if (!(error instanceof Interrupted)) throw error;
    const untried = rules.slice(verdicts.length).map(({ id }) => id);
    return { verdicts, ...ended, untried };
  }
  return { verdicts, ...(await run.end()), untried: [] };
}

async function verdictOf({ rule, run }: Check, title: string, trial: Trial): Promise<Verdict> {
  try {
    await trial.attempt(async () => run(trial));
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  const { failures, tried, absences } = trial;
  const refused = trial.session.refused.take();
  const alone = [...trial.sampled].join(", ");
  const obstacles = [...trial.obstacles, ...(alone === "" ? [] : [`with samples only: ${alone}`])];
  const outcome = failures.length > 0 ? "fail" : tried > 0 ? "pass" : "skipped";
  // That a schema does not use something is a reason only if the schema uses nothing of the rule.
  const reasons = outcome === "skipped" ? [...absences, ...obstacles] : obstacles;
  return { rule, title, outcome, reason: reasons.join("; "), tried, refused, failures };
}

function notTried(rule: string, title: string): Verdict {
  const reason = "not supported by this version of the generator";
  return { rule, title, outcome: "skipped", reason, tried: 0, refused: [], failures: [] };
}
