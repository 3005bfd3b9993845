import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterAll, expect } from "vitest";
import { startService } from "../contract/support/service.js";
import { inBrowser, openBrowser } from "../support/browser.js";
import { compiledClients } from "./generate-clients.js";

const folder = await compiledClients("fixtures/contract", "in-browser");
const source = readFileSync("test/clients/sessions/in-browser.ts", "utf8");
const { code: session } = await transform(source, { loader: "ts" });
/** The origin of a page, the session and the modules of the client; it redirects what is sent to an API. */
const pages = createServer(({ url = "" }, answer) => {
  const [, path] = /\/client\/v1\/src\/(.*\.js)$/.exec(url) ?? [];
  const isCode = url.endsWith(".js");
  if (url.startsWith("/api/")) answer.writeHead(302, { location: "/" });
  else answer.setHeader("content-type", isCode ? "text/javascript" : "text/html");
  if (path !== undefined) answer.end(readFileSync(join(folder, "client/v1/dist", path)));
  else answer.end(isCode ? session : "<!doctype html><title>A page</title>");
});
await new Promise<void>((done) => pages.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
afterAll(() => pages.close());

const service = await startService("contract", {
  registry: ({ settings, ...rest }) => ({
    ...rest,
    settings: { ...settings, cors: { origins: [origin] } },
  }),
});

inBrowser("a page of a listed origin loads the client as a module, and uses it", async () => {
  const page = await (await openBrowser()).newPage();
  await page.goto(origin);
  const run = `import("${origin}/session.js").then(({ session }) => session("${service.url}"))`;
  const elsewhere = `import("${origin}/session.js").then(({ redirected }) => redirected("${origin}"))`;
  expect(await page.evaluate(elsewhere)).toEqual({ type: "unknown", status: 0, location: null });
  expect(await page.evaluate(run)).toEqual({
    sizes: [2],
    type: "PreconditionFailedMessage",
    status: 412,
    requestId: expect.stringMatching(/^[\w-]{36}$/),
  });
});
