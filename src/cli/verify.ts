import { verify } from "../commands/verify.js";
import type { Environment } from "../commands/environment.js";
import { UsageError } from "../commands/usage-error.js";
import { toValues } from "../diagnostics/format.js";
import type { Result } from "../diagnostics/result.js";
import type { Conformance } from "../verify/verdict.js";
import { EventReceiver } from "../verify/event-log.js";
import { samplesOfModule } from "./samples-module.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { conformanceText, verdictText } from "./print-conformance.js";
import { stopOnSignal, type Terminal } from "./terminal.js";

const MINUTE = 60_000;

/** The flags of `generator verify`, as far as they are given. */
export interface VerifyFlags {
  readonly json?: boolean;
  readonly token?: readonly string[];
  readonly rule?: readonly string[];
  readonly leave?: boolean;
  readonly samples?: string;
  readonly minutes: number;
  /** The port at which the events of the service come. */
  readonly events?: number;
  readonly all?: boolean;
}

/** Verifies a service, prints the result and returns the exit code. Tokens can also come from the environment. */
export async function answerVerify(
  { url, flags, tokens }: { url: string; flags: VerifyFlags; tokens: string },
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const { json = false, rule: rules = [], leave = false, all = false } = flags;
  const given = flags.token ?? tokens.split(/\s+/).filter((token) => token !== "");
  const path = flags.samples ?? null;
  const exported = path === null ? null : await samplesOfModule(env.root, path);
  const stop = stopOnSignal();
  const events = flags.events === undefined ? null : await receiverAt(flags.events);
  const result = await verify(env, {
    url,
    tokens: given,
    rules,
    leave,
    events,
    samples: path === null ? null : { path, exported },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(flags.minutes * MINUTE)]),
    tellWait: (seconds) =>
      terminal.err(`The service answers 429: waited for ${seconds} s in all so far.\n`),
    tellBegin: ({ id, title }, tried, count) =>
      terminal.progress(`${tried + 1} of ${count}: ${id}  ${title}`),
    tell: (verdict) => {
      if (!json) terminal.out(verdictText(verdict, terminal.colors));
    },
  });
  events?.close();
  if (json) terminal.out(jsonText(result));
  else printDiagnostics(result.diagnostics, all, terminal);
  if (!json && result.ok) terminal.out(conformanceText(result.value, terminal.colors));
  return stop.exitCode() ?? exitCode(result);
}

async function receiverAt(port: number): Promise<EventReceiver> {
  const receiver = new EventReceiver();
  await receiver.listen(port).catch(() => {
    throw new UsageError(
      `Port ${port} of this machine is in use. Choose another one for --events.`,
    );
  });
  return receiver;
}

function jsonText(result: Result<Conformance>): string {
  const diagnostics = toValues(result.diagnostics);
  const ok = exitCode(result) === 0;
  const value = result.ok ? result.value : {};
  return `${JSON.stringify({ ok, ...value, diagnostics }, null, 2)}\n`;
}

function exitCode(result: Result<Conformance>): number {
  return result.ok && isKept(result.value) ? 0 : 1;
}

function isKept({ verdicts, untried }: Conformance): boolean {
  return untried.length === 0 && verdicts.every(({ outcome }) => outcome !== "fail");
}
