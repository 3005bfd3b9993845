// Follows the tutorial, and takes its pictures with a real browser: `npm run docs:pictures`.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { TutorialRun } from "../support/tutorial-run.js";
import { tutorialSteps } from "../support/tutorial.js";

const WIDTH = 1000;
/** Of height: what is below is more of the same. */
const MOST_PIXELS = 1400;
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

const browser = await chromium.launch({ executablePath: BROWSER });
const run = new TutorialRun("tutorial-pictures", async (page, picture) => {
  const view = await browser.newPage({
    viewport: { width: WIDTH, height: 700 },
    colorScheme: "light",
  });
  await view.goto(pathToFileURL(page).href);
  const whole = await view.evaluate("document.documentElement.scrollHeight");
  const height = Math.min(Number(whole), MOST_PIXELS);
  await view.setViewportSize({ width: WIDTH, height });
  await view.screenshot({ path: resolve(`docs/pictures/${picture}.png`) });
  await view.close();
});
try {
  for (const step of tutorialSteps("docs/tutorial-change.md")) {
    await run.go(step).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      console.error(`docs/tutorial-change.md:${step.line}: ${said}`);
      process.exitCode = 1;
    });
  }
} finally {
  run.stop();
  await browser.close();
}
