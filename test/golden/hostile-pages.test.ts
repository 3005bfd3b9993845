import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseHTML } from "linkedom";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { changesHtml } from "../../src/cli/changes-html.js";
import type {
  ChangesReport,
  ReportedChange,
  VersionChanges,
} from "../../src/commands/changes-report.js";
import { createService } from "#runtime/service/service";
import { inBrowser, openBrowser } from "../support/browser.js";
import { ask } from "../unit/runtime/fixture/ask.js";
import { plainRegistry } from "../unit/runtime/fixture/plain-registry.js";

// Texts of a schema are text in every page, and never markup.

const MARKER = "PWNED_MARK";
const { code_payloads: kept } = JSON.parse(
  readFileSync(resolve("fixtures/hostile/payloads.json"), "utf8"),
) as { readonly code_payloads: readonly { readonly text: string }[] };
/** What leads elsewhere, runs, or loads something, where it is taken for HTML or for a link of Markdown. */
const MARKUP = [
  `</title><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/away">`,
  `</title></head><body><img src=x onerror=${MARKER}()>`,
  `"><svg onload=${MARKER}()>`,
  `' onmouseover='${MARKER}()`,
  `<iframe srcdoc="<script>parent.${MARKER}()</script>"></iframe>`,
  `<base href="http://127.0.0.1:9/"><form action="http://127.0.0.1:9/"><input autofocus onfocus=${MARKER}()></form>`,
  `<a href="javascript:${MARKER}()">x</a> [x](javascript:${MARKER}()) ![x](http://127.0.0.1:9/x.png)`,
  "&lt;b&gt; &amp; &#60;script&#62;",
];
const TEXTS = [...MARKUP, ...kept.map(({ text }) => text)];

const plain = plainRegistry();
const service = await createService({
  ...plain,
  settings: { ...plain.settings, title: MARKUP[0] ?? "" },
});
const url = await service.listen();
afterAll(() => service.close());

/** A report in which a schema says `text` everywhere. */
function reportOf(text: string): ChangesReport {
  const change: ReportedChange = {
    ...{ kind: "property-added", class: "breaking", breaks: ["readers"], resource: text },
    ...{ follows: text, path: text, before: text, after: text, sentence: text },
    ...{ reasons: [text], advice: text, file: text, line: 1, column: 1, endLine: 1, endColumn: 2 },
  };
  const version: VersionChanges = {
    ...{ name: text, status: "published" as const, deprecated: text, sunset: text, isBroken: true },
    ...{ baseline: { kind: "version", name: text }, isGuide: false, service: [change], next: text },
    resources: [{ name: text, changes: [change] }],
    added: [change],
  };
  return { service: text, title: text, since: text, versions: [version, version] };
}

test.each(TEXTS)("the report of changes has %j as text, and no tag of it", (text) => {
  const tagsOf = (html: string): readonly string[] =>
    [...parseHTML(html).document.querySelectorAll("*")].map(({ tagName, attributes }) =>
      [tagName, ...[...attributes].map(({ name }) => name)].join(" "),
    );
  const { document } = parseHTML(changesHtml(reportOf(text)));
  expect(document.querySelector("h1")?.textContent).toBe(`Changes of ${text}`);
  const plainTags = tagsOf(changesHtml(reportOf("plain"))).filter((tag) => tag !== "CODE");
  const tags = tagsOf(changesHtml(reportOf(text))).filter((tag) => tag !== "CODE");
  expect(tags).toEqual(plainTags);
});

test("the title is text in /docs", async () => {
  const { body } = await ask(url, "GET", "/docs");
  const { document } = parseHTML(body);
  expect(document.querySelector("title")?.textContent).toBe(MARKUP[0]);
  expect(document.querySelectorAll("meta").length).toBe(1);
});

/** What a page does that none of its own makes it do. */
async function watched(page: Page): Promise<string[]> {
  const done: string[] = [];
  await page.exposeFunction(MARKER, () => done.push("a script was run"));
  page.on("dialog", (dialog) => done.push(dialog.type()));
  page.on("requestfinished", (request) => {
    if (!request.url().startsWith(url)) done.push(request.url());
  });
  page.on("requestfailed", (request) => {
    // What the page's own policy holds back, such as an image of Markdown, is not sent.
    const why = request.failure()?.errorText ?? "";
    const isElsewhere = !request.url().startsWith(url);
    if (isElsewhere && why !== "csp") done.push(`${request.url()}: ${why}`);
  });
  return done;
}

inBrowser("a browser runs, loads and follows nothing of them in the report", async () => {
  const page = await (await openBrowser()).newPage();
  const done = await watched(page);
  // A schema may not have NUL (SCH-007), which a browser leaves out.
  for (const text of TEXTS.filter((one) => !one.includes("\0"))) {
    await page.setContent(changesHtml(reportOf(text)));
    expect(await page.locator("h1").textContent()).toBe(
      `Changes of ${text}`.replace(/\r\n?/g, "\n"),
    );
  }
  expect(done).toEqual([]);
  expect(page.url()).toBe("about:blank");
});

inBrowser("a browser runs, loads and follows nothing of them in /docs", async () => {
  const page = await (await openBrowser()).newPage();
  const done = await watched(page);
  const { body } = await ask(url, "GET", "/api/v1/openapi.json");
  let text = "";
  await page.route("**/openapi.json", (route) =>
    route.fulfill({ json: hostile(JSON.parse(body), text) }),
  );
  // The page takes a second for each: what is neither a tag nor Markdown is tried above.
  for (text of TEXTS.filter((one) => /[<`]/.test(one))) {
    await page.goto(`${url}/docs`);
    await page.locator(".opblock").first().waitFor();
    await page.locator(".opblock-summary-control").first().click();
    await page.locator(".opblock-body").first().waitFor();
    expect(await page.title()).toBe(MARKUP[0]);
    expect(page.url().split("#")[0]).toBe(`${url}/docs`);
  }
  expect(done).toEqual([]);
});

/** A document whose texts for people are all this one. */
function hostile(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => hostile(one, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const isText = ["title", "description", "summary", "example"].includes(key);
      return [key, isText && typeof one === "string" ? text : hostile(one, text)];
    }),
  );
}
