import { didYouMean } from "../diagnostics/advice.js";
import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import { nearest } from "../naming/nearest.js";
import { RULES } from "../rules/rules.js";
import type { Samples } from "../verify/samples.js";
import { Unreachable } from "../verify/exchange.js";
import type { Conformance } from "../verify/verdict.js";
import { verify as verifyService, type VerifyOptions } from "../verify/verify.js";
import type { Environment } from "./environment.js";
import { moduleSamples, readSamples } from "./read-samples.js";
import { readModel, type ReadModel } from "./read-model.js";
import { UsageError } from "./usage-error.js";

/** Further failures of one rule say nothing new. */
const MOST_FAILURES = 50;

/** What to verify, as given on the command line. */
export interface VerifyRequest extends Omit<
  VerifyOptions,
  "url" | "run" | "now" | "mostFailures" | "samples"
> {
  readonly url: string;
  /** The file with what own code accepts, and what it exports where it is a module; null: there is none. */
  readonly samples: { readonly path: string; readonly exported: object | null } | null;
}

/** Tries the rules of the contract on a running service of the project. Throws `UsageError` if none answers. */
export async function verify(
  env: Environment,
  { url, samples: given, ...request }: VerifyRequest,
): Promise<Result<Conformance>> {
  const address = addressOf(url);
  const rules = request.rules.map(ruleOf);
  const read = await readModel(env.files, env.root);
  if (!read.ok) return read;
  const { model } = read.value;
  const samples = samplesOf(env, given, read.value);
  if (!samples.ok) return samples;
  if (model.authentication.scheme === "bearer" && request.tokens.length === 0) {
    throw new UsageError(
      `${model.name} asks its callers for a bearer token: give one with --token, or in GENERATOR_TOKEN. ` +
        'In the folder of the service, "npm run token" makes one for development.',
    );
  }
  const { run, now } = env.machine;
  try {
    const asked = { ...request, url: address, rules, samples: samples.value };
    const options = { ...asked, run: run.token, now, mostFailures: MOST_FAILURES };
    const found = [...read.diagnostics, ...samples.diagnostics];
    return success(await verifyService(model, options), found);
  } catch (error) {
    if (error instanceof Unreachable) throw new UsageError(error.message);
    throw error;
  }
}

function samplesOf(
  env: Environment,
  given: VerifyRequest["samples"],
  read: ReadModel,
): Result<Samples> {
  if (given === null) return success<Samples>(new Map());
  const { path, exported } = given;
  if (exported === null) return readSamples(env, path, read);
  return moduleSamples(path, exported, { ...env, read });
}

function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol === "http:" || address?.protocol === "https:") return address;
  const given = JSON.stringify(url);
  throw new UsageError(`${given} is not the URL of a service, such as http://127.0.0.1:3000.`);
}

function ruleOf(given: string): string {
  const id = given.toUpperCase();
  const known = RULES.find((rule) => rule.id === id);
  if (known?.verified === true) return id;
  if (known !== undefined) {
    throw new UsageError(`Nothing of ${id} can be seen from outside: "generator explain ${id}".`);
  }
  const ids = RULES.filter(({ verified }) => verified).map((rule) => rule.id);
  const near = nearest(id, ids);
  const advice = near === null ? 'Rules are listed by "generator rules".' : didYouMean(near);
  throw new UsageError(`There is no rule ${JSON.stringify(given)}. ${advice}`);
}
