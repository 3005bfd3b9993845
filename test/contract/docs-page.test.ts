import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { inBrowser, openBrowser } from "../support/browser.js";
import { cases } from "../support/thorough.js";
import type { JsonObject } from "./support/client.js";
import { newOrder, newParties, ORDERS } from "./support/shop.js";
import { startService, type TestService } from "./support/service.js";

/** Of more than a hundred operations the page makes those that are in view. */
const ALL_IN_VIEW = { width: 1200, height: 30_000 };
/** A body takes the page a second. */
const EACH = cases({ usual: 10, long: 1 });
/** The services, what a fee of each is made of, and the parents that children are made under. */
const SERVICES = await Promise.all(
  cases({ usual: [shop], long: [workshop, shop] }).map(async (start) => start()),
);
const [{ service } = never()] = SERVICES;
const onEach = inBrowser.each(SERVICES);

async function workshop() {
  const service = await startService("contract");
  const { convoyId } = await service.create("/api/v1/convoys", {});
  const { yardId } = await service.create("/api/v1/yards", {});
  return { fixture: "contract", service, fee: { amount: "12.5" }, parents: { convoyId, yardId } };
}

async function shop() {
  const service = await startService("shop");
  const parties = await newParties(service);
  const { orderId } = await service.create(ORDERS, newOrder(parties));
  const parents = { orderId, userId: parties.customer.userId };
  return { fixture: "shop", service, fee: { state: "TX", amount: "12.5" }, parents };
}

/** The page, and what went wrong or astray on it. */
interface Visit {
  readonly page: Page;
  readonly complaints: string[];
}

const visits = new Map<TestService, Promise<Visit>>();

/** The page of a service for all tests that leave it as it is: to make it takes many seconds. */
async function visitOnce(service: TestService): Promise<Visit> {
  const visited = visits.get(service) ?? visit(service);
  visits.set(service, visited);
  return visited;
}

async function visit({ url }: TestService): Promise<Visit> {
  const page = await (await openBrowser()).newPage({ viewport: ALL_IN_VIEW });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== url) complaints.push(request.url());
  });
  await page.goto(`${url}/docs`);
  await page.locator(".opblock").first().waitFor();
  return { page, complaints };
}

onEach(
  "the page of $fixture lists every operation of the document and nothing else",
  async ({ service }) => {
    const { page, complaints } = await visitOnce(service);
    const { paths, info } = await service.read("/api/v1/openapi.json");
    const described = Object.entries(paths as JsonObject).flatMap(([path, item]) =>
      Object.keys(item as JsonObject)
        .filter((method) => method !== "parameters")
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed = await page.locator(".opblock-summary").evaluateAll((summaries) =>
      summaries.map((summary) => {
        const method = summary.querySelector(".opblock-summary-method")?.textContent;
        return `${method} ${summary.querySelector("[data-path]")?.getAttribute("data-path")}`;
      }),
    );
    expect(listed.sort()).toEqual(described.sort());
    expect(await page.title()).toBe((info as JsonObject)["title"]);
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  "a padlock is where a token is needed or makes a difference, and open where it is needed",
  async () => {
    const secured = await startService("secured");
    const { page } = await visit(secured);
    const { paths } = await secured.read("/api/v1/openapi.json");
    const wanted = Object.entries(paths as JsonObject).flatMap(([path, item]) =>
      Object.entries(item as JsonObject)
        .filter(([method]) => method !== "parameters")
        .map(([method, operation]) => {
          const { security } = operation as { security: readonly JsonObject[] };
          const isOptional = security.some((one) => Object.keys(one).length === 0);
          const padlock = security.length === 0 ? "none" : isOptional ? "locked" : "unlocked";
          return `${method.toUpperCase()} ${path} ${padlock}`;
        }),
    );
    const shown = await page.locator(".opblock-summary").evaluateAll((summaries) =>
      summaries.map((summary) => {
        const method = summary.querySelector(".opblock-summary-method")?.textContent;
        const path = summary.querySelector("[data-path]")?.getAttribute("data-path");
        const label = summary.querySelector(".authorization__btn")?.getAttribute("aria-label");
        return `${method} ${path} ${label?.replace("authorization button ", "") ?? "none"}`;
      }),
    );
    expect(shown.sort()).toEqual(wanted.sort());
    const padlocks = new Set(shown.map((one) => one.split(" ").at(-1)));
    expect([...padlocks].sort()).toEqual(["locked", "none", "unlocked"]);
    expect(shown).toContain("GET /notices none");
    expect(shown).toContain("POST /notices unlocked");
  },
);

inBrowser("there is nothing to choose where there is one version and one server", async () => {
  const { page } = await visitOnce(service);
  expect(await page.locator("select:visible").count()).toBe(0);
  expect(await page.locator(".topbar:visible").count()).toBe(0);
});

onEach("an entity can be made and read from the page of $fixture", async ({ service, fee }) => {
  const { page, complaints } = await visit(service);
  const creating = await opened(page, "post", "/shippingfees");
  await creating.locator(".try-out__btn").click();
  await creating.locator("textarea").fill(JSON.stringify(fee));
  const { shippingFeeId } = await executed(creating, 201);
  const reading = await opened(page, "get", "/shippingfees/{shippingFeeId}");
  await reading.locator(".try-out__btn").click();
  await reading.getByPlaceholder("shippingFeeId").fill(String(shippingFeeId));
  expect(await executed(reading, 200)).toMatchObject({ ...fee, shippingFeeId, amount: "12.50" });
  expect(complaints).toEqual([]);
});

onEach(
  "the body that the page of $fixture suggests for a new entity is accepted, but for what it refers to",
  async ({ service, parents }) => {
    const { page } = await visitOnce(service);
    const identifiers: Readonly<Record<string, unknown>> = parents;
    const { paths: described } = await service.read("/api/v1/openapi.json");
    // Other bodies are those of actions (OPS-11).
    const creating = Object.entries(described as JsonObject)
      .filter(([, item]) => {
        const { post } = item as { post?: { responses: JsonObject } };
        return post?.responses["201"] !== undefined;
      })
      .filter((_, index) => index % EACH === 0);
    expect(creating.length).toBeGreaterThan(0);
    for (const [path] of creating) {
      const block = await opened(page, "post", path);
      await block.locator(".try-out__btn").click();
      const body = await block.locator("textarea").inputValue();
      // Closed again, so that those below it stay in view.
      await block.locator(".opblock-summary-control").click();
      const headers = { "content-type": "application/json" };
      const target = path.replace(/\{(\w+)\}/, (_, name: string) => String(identifiers[name]));
      const { status, text } = await service.send("POST", `/api/v1${target}`, { headers, body });
      // Which entities there are is not for a document to know.
      const wrong = text.match(/(?<="field": .*\n *"message": ")[^"]*/g) ?? [];
      // A representation makes entities of the same original, whose unique values are taken by then.
      const isTaken = status === 409 && text.includes("AlreadyExistsMessage");
      const isAccepted = wrong.length > 0 ? wrong.every(isOfReference) : status === 201 || isTaken;
      expect({ path, body, status, text, isAccepted }).toMatchObject({ isAccepted: true });
    }
  },
);

function isOfReference(message: string): boolean {
  return message.startsWith("does not refer to an existing ");
}

async function opened(page: Page, method: string, path: string): Promise<Locator> {
  const block = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
  await block.locator(".opblock-summary-control").click();
  return block;
}

/** Sends what is filled in; returns the answer that the page shows. */
async function executed(block: Locator, status: number): Promise<JsonObject> {
  await block.locator("button.execute").click();
  const row = block.locator(".live-responses-table .response");
  await row.waitFor();
  expect(await row.locator(".response-col_status").innerText()).toContain(String(status));
  const text = await row.locator(".response-col_description pre").first().innerText();
  return JSON.parse(text) as JsonObject;
}

inBrowser.each([
  { colorScheme: "light", isLight: true },
  { colorScheme: "dark", isLight: false },
] as const)("the page is $colorScheme where the system is", async ({ colorScheme, isLight }) => {
  const page = await (await openBrowser()).newPage({ colorScheme });
  await page.goto(`${service.url}/docs`);
  await page.locator(".opblock").first().waitFor();
  // Of what lies behind all that is on the page.
  const colours = await page.evaluate<string[]>(
    "[document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor)",
  );
  const lightness = colours
    .map((colour) => colour.match(/[\d.]+/g)?.map(Number) ?? [])
    .filter(([, , , alpha = 1]) => alpha > 0)
    .map(([red = 0]) => red);
  expect(lightness.length).toBeGreaterThan(0);
  expect(lightness.every((red) => red > 200 === isLight)).toBe(true);
  await page.close();
});

test("the page may run and load what is its own, and nothing else", async () => {
  const { status, headers } = await service.send("GET", "/docs");
  expect(status).toBe(200);
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(headers["content-security-policy"]).not.toMatch(/unsafe|https?:|\*/);
});

function never(): never {
  throw new Error("not there");
}
