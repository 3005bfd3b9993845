import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { afterAll, test } from "vitest";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
const executablePath = BROWSERS.find((path) => existsSync(path));
if (executablePath === undefined) {
  console.log(`skipped: pages are not looked at, for there is none of ${BROWSERS.join(", ")}`);
}
/** A test that needs a browser; skipped where this machine has none. */
export const inBrowser = test.skipIf(executablePath === undefined);

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** The browser of a file's tests, which is closed after them. */
export async function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: executablePath ?? "", args: FLAGS });
  return browser;
}
