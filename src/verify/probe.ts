import type { ServiceModel } from "../model/service-model.js";
import { NoAnswer, type Answer } from "./exchange.js";
import type { HttpClient } from "./http-client.js";
import { isObject } from "../samples/json.js";

/** No service with this schema answers, so no rule can be checked. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Checks that a service with this schema answers at all. Throws `Unreachable`. */
export async function probe(client: HttpClient, model: ServiceModel): Promise<void> {
  const { basePath, versions } = model;
  const collections = versions.flatMap(({ resources }) => resources.map(({ path }) => path));
  for (const { name } of versions) {
    const { status, json } = await ask(client, `${basePath}/${name}/openapi.json`);
    const paths = isObject(json) ? json["paths"] : undefined;
    if (status !== 200 || !isObject(paths)) continue;
    const known = Object.keys(paths);
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

async function ask(client: HttpClient, path: string): Promise<Answer> {
  try {
    return (await client.send("GET", path)).answer;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const reason = error.reason === "" ? "no answer" : error.reason;
    throw new Unreachable(`No service answers at ${client.base.href} (${reason}). Is it running?`);
  }
}
