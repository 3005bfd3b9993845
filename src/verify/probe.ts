import type { ServiceModel } from "../model/service-model.js";
import type { Caller } from "./caller.js";
import { MISSING } from "./check.js";
import { NoAnswer, Unreachable, type Answer } from "./exchange.js";
import type { HttpClient } from "./http-client.js";
import { sendPatiently } from "./patience.js";
import { isObject } from "../samples/json.js";

/** Checks that a service with this schema answers at all. Throws `Unreachable`. */
export async function probe(client: HttpClient, model: ServiceModel): Promise<void> {
  const { basePath, versions } = model;
  const collections = versions.flatMap(({ resources }) => resources.map(({ path }) => path));
  for (const { name } of versions) {
    const { status, json } = await ask(client, `${basePath}/${name}/openapi.json`);
    const paths = isObject(json) ? json["paths"] : undefined;
    if (status !== 200 || !isObject(paths)) continue;
    const known = Object.keys(paths).map((one) => one.replace(/\/\{.*/, ""));
    if (collections.some((path) => known.some((one) => path.endsWith(one)))) return;
    throw new Unreachable(
      `The service at ${client.base.href} was made from another schema: it does not have any resource of ${model.name}.`,
    );
  }
  // The document itself may be faulty.
  for (const path of collections) {
    const { status, json } = await ask(client, path);
    if (status !== 404 && isObject(json)) return;
  }
  throw new Unreachable(
    `The service at ${client.base.href} is not ${model.name}: there is nothing at ${basePath}. ` +
      "Give the URL of the service without its base path.",
  );
}

/** AUT-1: checks that the service accepts every token. Throws `Unreachable` for one that it refuses. */
export async function probeTokens(
  client: HttpClient,
  model: ServiceModel,
  callers: readonly Caller[],
): Promise<void> {
  const resources = model.versions.flatMap((version) => version.resources);
  const readable = resources.find(({ operations }) => operations.includes("read"));
  const path = readable === undefined ? resources[0]?.path : `${readable.path}/${MISSING}`;
  if (path === undefined || model.authentication.scheme === "none") return;
  for (const [index, { token }] of callers.entries()) {
    const answer = await ask(client, path, { authorization: `Bearer ${token ?? ""}` });
    if (answer.status !== 401) continue;
    const which = callers.length === 1 ? "the token" : `token ${index + 1} of ${callers.length}`;
    throw new Unreachable(
      `The service at ${client.base.href} refuses ${which} (401). ` +
        'In the folder of the service, "npm run token" makes one for development.',
    );
  }
}

async function ask(
  client: HttpClient,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  try {
    return (await sendPatiently(client, "GET", path, { headers })).answer;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const reason = error.reason === "" ? "no answer" : error.reason;
    throw new Unreachable(`No service answers at ${client.base.href} (${reason}). Is it running?`);
  }
}
