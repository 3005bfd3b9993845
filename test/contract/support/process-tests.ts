import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Answer, Client, JsonObject } from "./client.js";
import { resultsOf } from "./errors.js";
import { WIDGETS } from "./samples.js";
import type { ServiceProcess } from "./service-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Makes folders of their own for the tests of a file: a service keeps its database in one. */
export function places(): (name: string) => string {
  const root = temporaryFolder();
  return (name) => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
}

/** Lets time pass. */
export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** One POST of a widget; null where the connection broke before the answer was whole. */
export async function postWidget(client: Client, body: JsonObject): Promise<JsonObject | null> {
  const answer = await created(() => client.send("POST", WIDGETS, { body }));
  return answer?.json ?? null;
}

/** The 201 to a request, sent again where the service has no room for it (LIM-2); null where the connection broke. */
export async function created(send: () => Promise<Answer>): Promise<Answer | null> {
  try {
    for (;;) {
      const answer = await send();
      if (answer.status === 201) return answer;
      expect(answer.status, answer.text).toBe(503);
      await pause(1000 * Number(answer.headers["retry-after"]));
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Every widget that the service has, page by page. */
export async function allWidgets(client: Client): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const results = resultsOf(await client.read(`${WIDGETS}?pageSize=100&pageNumber=${page}`));
    if (results.length === 0) return found;
    found.push(...results);
  }
}

/** Tells a service to stop and returns its exit code. */
export async function stop({ child, ended }: ServiceProcess): Promise<number | null> {
  child.kill("SIGTERM");
  return (await ended).code;
}
