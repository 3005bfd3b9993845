import { expect, test } from "vitest";
import { fixtureModel, verifyAt } from "../mutants/verifying.js";
import type { VersionSettings } from "#runtime/http/settings";
import { expectError } from "./support/errors.js";
import { places } from "./support/process-tests.js";
import { logOf, startProcess } from "./support/service-process.js";
import { startService } from "./support/service.js";

const PARCELS = "/api/v1/parcels";
const place = places();

const deprecated = await startService("deprecated");
const RETIRED: VersionSettings = { name: "v7", status: "retired", document: "" };
// No document of a version that is served speaks of the paths of one that is not.
const retired = await startService("contract", {
  ownErrors: true,
  registry: (registry) => ({
    ...registry,
    settings: { ...registry.settings, versions: [...registry.settings.versions, RETIRED] },
  }),
});

/** RFC 9745: seconds since 1970; RFC 8594: a date of HTTP. */
const TOLD = { deprecation: "@1788220800", sunset: "Mon, 01 Mar 2027 00:00:00 GMT" };

test.each([
  { what: "a new entity", method: "POST", path: PARCELS, status: 201, body: { label: "a" } },
  { what: "a body that is refused", method: "POST", path: PARCELS, status: 400, body: {} },
  { what: "a method that is not allowed", method: "DELETE", path: PARCELS, status: 405 },
  { what: "a path that is encoded", method: "GET", path: "/api/%761/parcels", status: 200 },
  {
    what: "a URL that is too long",
    method: "GET",
    path: `${PARCELS}?${"x".repeat(9000)}`,
    status: 414,
  },
])(
  "an answer of a deprecated version says so: $what",
  async ({ method, path, status, ...sent }) => {
    const answer = await deprecated.send(method, path, sent);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(TOLD);
  },
);

test("a method that nobody knows is 501 below a deprecated version, which says so, and 410 below a retired one", async () => {
  const head = (path: string): string =>
    `BREW ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const told = (await deprecated.raw(head(PARCELS))).toString().toLowerCase();
  expect(told).toContain("http/1.1 501");
  for (const [name, value] of Object.entries(TOLD)) {
    expect(told).toContain(`${name}: ${value.toLowerCase()}\r\n`);
  }
  const gone = (await retired.raw(head("/api/v7/widgets"))).toString();
  expect(gone).toContain("HTTP/1.1 410");
  expect(gone).toContain("Version v7 was retired. Served: v1.");
  expect((await retired.raw(head("/api/v1/widgets"))).toString()).toContain("HTTP/1.1 501");
});

test("what is not below a deprecated version does not say so", async () => {
  for (const path of ["/api", "/api/v11/parcels", "/docs", "/healthz", "/nothing"]) {
    const { headers } = await deprecated.send("GET", path);
    expect([headers["deprecation"], headers["sunset"]]).toEqual([undefined, undefined]);
  }
});

test("a route of the service's own is gone with the version in whose path it stands", async () => {
  const handle = (): object => ({ served: true });
  const paths = [
    "/api/v7/reports/daily",
    "/api/v7/widgets/{widgetId}/report",
    "/api/v70",
    "/reports",
  ];
  const own = await startService("contract", {
    ownErrors: true,
    extension: {
      provided: {},
      routes: paths.map((path) => ({ method: "GET", path, handle })),
      checks: {},
      onStop: async () => undefined,
    },
    registry: (registry) => ({
      ...registry,
      settings: { ...registry.settings, versions: [...registry.settings.versions, RETIRED] },
    }),
  });
  const asked = paths.map((path) =>
    path.replace("{widgetId}", "ffffffff-ffff-4fff-8fff-ffffffffffff"),
  );
  const answers = asked.map(async (path) => (await fetch(own.url + path)).status);
  expect(await Promise.all(answers)).toEqual([410, 410, 200, 200]);
});

test("the other versions go on, and a version that never was is unknown", async () => {
  expect((await retired.read("/api/v1/widgets"))["itemCount"]).toBe(0);
  const { description } = expectError(
    await retired.send("GET", "/api/v8/widgets"),
    404,
    "VersionNotFoundMessage",
  );
  expect(description).not.toContain("v7");
});

test("generator verify tries a retired version on a service", async () => {
  const model = await fixtureModel("contract");
  const gone = {
    name: "v7",
    status: "retired",
    deprecated: null,
    sunset: null,
    resources: [],
  } as const;
  const outcomeWith = async (version: typeof gone | { name: string }): Promise<unknown> => {
    const two = { ...model, versions: [...model.versions, { ...gone, ...version }] };
    const { verdicts } = await verifyAt(two, retired.url, { rules: ["VER-4"] });
    return verdicts.map(({ outcome }) => outcome);
  };
  expect(await outcomeWith(gone)).toEqual(["pass"]);
  // A version that never was is not gone.
  expect(await outcomeWith({ name: "v9" })).toEqual(["fail"]);
});

test("how much each version is used is told at the stop", async () => {
  const running = startProcess(place("use"), { TEST_SERVICE: "deprecated", LOG_LEVEL: "info" });
  const client = await running.ready;
  for (const path of [PARCELS, `${PARCELS}?x=1`, "/api/v11/parcels"])
    await client.send("GET", path);
  running.child.kill("SIGTERM");
  const { output } = await running.ended;
  const told = logOf(output).filter(({ msg }) => msg === "requests by version");
  expect(told).toEqual([expect.objectContaining({ level: 30, versions: { v1: 2 } })]);
});
