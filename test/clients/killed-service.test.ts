import { join } from "node:path";
import { expect, test } from "vitest";
import { places, stop } from "../contract/support/process-tests.js";
import { startProcess } from "../contract/support/service-process.js";
import { compiledClients } from "./generate-clients.js";

interface Widget {
  readonly createdDate: string;
}

/** What the test uses of the client, which is there only now. */
interface Generated {
  readonly createClient: (options: { baseUrl: string; retries: number }) => {
    readonly widgets: {
      readonly create: (body: object) => Promise<Widget>;
      readonly list: (query: object) => Promise<{ itemCount: number; results: Widget[] }>;
    };
  };
}

const folder = await compiledClients("fixtures/contract", "killed-service");
const place = places();
/** Kills a service when it begins a response 201, which comes after the commit. */
const KILL = `import { ServerResponse } from "node:http";
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (status, ...more) {
    if (status === 201) process.kill(process.pid, "SIGKILL");
    return writeHead.call(this, status, ...more);
  };`;

test("a POST makes one entity, though kill -9 comes between the commit and the response", async () => {
  const { createClient } = (await import(join(folder, "client/v1/dist/index.js"))) as Generated;
  const cwd = place("killed");
  const killer = `--import=data:text/javascript,${encodeURIComponent(KILL)}`;
  const killed = startProcess(cwd, { NODE_OPTIONS: killer });
  const { url } = await killed.ready;
  const { widgets } = createClient({ baseUrl: url, retries: 8 });
  const creation = widgets.create({ name: "once" });
  expect((await killed.ended).code).toBeNull();
  const restart = Date.now();
  const again = startProcess(cwd, { PORT: new URL(url).port });
  await again.ready;
  const made = await creation;
  expect(Date.parse(made.createdDate)).toBeLessThan(restart);
  expect(await widgets.list({ name: "once" })).toMatchObject({ itemCount: 1, results: [made] });
  expect(await stop(again)).toBe(0);
});
