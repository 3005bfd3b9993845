import { parseArgs } from "node:util";

import { readAuthentication } from "../auth/authentication.js";
import { StartRefusal } from "../base/errors.js";
import type { ServiceSettings } from "../http/settings.js";
import { openSigningKeys, signToken } from "./credentials.js";

const FOLDER = ".keys";
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const USAGE = "npm run token -- [--subject <text>] [--role <name>]... [--expires 30m]";

/** Prints a development token, and on stderr the setting with which the service accepts it. */
export async function printToken(
  settings: ServiceSettings,
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    const { file, token } = await makeToken(settings, given, environment);
    if (environment["AUTH_KEYS"] !== file) {
      const advice = `Start the service with AUTH_KEYS=${file}, or write that into .env`;
      process.stderr.write(`${advice}, to have it accepted.\n`);
    }
    process.stdout.write(`${token}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 1;
  }
}

async function makeToken(
  settings: ServiceSettings,
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ file: string; token: string }> {
  const { values } = parseArgs({
    args: [...given],
    options: {
      subject: { type: "string", default: "developer" },
      role: { type: "string", multiple: true, default: [] },
      expires: { type: "string", default: "1h" },
    },
  });
  const authentication = readAuthentication(environment, settings.authentication);
  if (authentication.scheme === "none") {
    throw new StartRefusal(
      "This service takes no tokens: service.yaml says `scheme: none`, or AUTH_SCHEME does.",
    );
  }
  const seconds = secondsOf(values.expires);
  const keys = await openSigningKeys(FOLDER);
  const claims = { subject: values.subject, roles: values.role, seconds };
  return { file: keys.file, token: await signToken(keys, authentication, claims) };
}

function secondsOf(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new StartRefusal(`--expires must be a number followed by s, m, h or d, and is "${text}".`);
}
