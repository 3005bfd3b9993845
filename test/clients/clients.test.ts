import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startService } from "../contract/support/service.js";
import { COMPILERS } from "../support/compiled-service.js";
import { PROJECTS } from "../support/projects.js";
import { CLIENTS, generateClients } from "./generate-clients.js";

const SESSIONS = resolve("test/clients/sessions");
/** Each session has a service of its own, with nothing in it. */
const RUNS = [
  { client: "hey-api", service: await startService("contract") },
  { client: "openapi-fetch", service: await startService("contract") },
  { client: "typed", service: await startService("contract") },
  { client: "two-versions", service: await startService("versions") },
];

beforeAll(async () => {
  rmSync(CLIENTS, { recursive: true, force: true });
  for (const project of PROJECTS) await generateClients(project);
});

test("the clients that are made from every document compile, and so do the sessions written against them", async () => {
  const command = [COMPILERS.fast, "--noEmit", "-p", SESSIONS];
  const errors = await new Promise<string>((done) => {
    execFile(process.execPath, command, (error, out, err) => done(error === null ? "" : out + err));
  });
  expect(errors).toBe("");
});

test.each(RUNS)(
  "a session through $client gets the answers that its types promise",
  async ({ client, service }) => {
    // The clients that it imports are there only now, so that it has no types here; the test above checks them.
    const { session } = (await import(`${SESSIONS}/${client}.ts`)) as {
      session: (url: string) => Promise<void>;
    };
    await session(service.url);
  },
);
