import { expect, test } from "vitest";
import { fixtureModel, verifyAt } from "../mutants/verifying.js";
import type { VersionSettings } from "#runtime/http/settings";
import { expectError, expectFields } from "./support/errors.js";
import { places } from "./support/process-tests.js";
import { printed } from "./support/refusal.js";
import { logOf, startProcess } from "./support/service-process.js";
import { startService } from "./support/service.js";

const PARCELS = "/api/v1/parcels";
const place = places();
const MISSING = `${PARCELS}/ffffffff-ffff-4fff-8fff-ffffffffffff`;

const deprecated = await startService("deprecated");
const draft = await startService("contract");
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
  { what: "a page", method: "GET", path: PARCELS, status: 200 },
  { what: "an alias", method: "GET", path: `${PARCELS}/heavy`, status: 200 },
  { what: "a new entity", method: "POST", path: PARCELS, status: 201, body: { label: "a" } },
  { what: "a body that is refused", method: "POST", path: PARCELS, status: 400, body: {} },
  { what: "a parameter that is unknown", method: "GET", path: `${PARCELS}?x=1`, status: 400 },
  { what: "an entity that is missing", method: "GET", path: MISSING, status: 404 },
  { what: "a path that is nothing", method: "GET", path: "/api/v1/nothing", status: 404 },
  { what: "the version itself", method: "GET", path: "/api/v1", status: 404 },
  { what: "a method that is not allowed", method: "DELETE", path: PARCELS, status: 405 },
  { what: "the methods that are", method: "OPTIONS", path: PARCELS, status: 204 },
  { what: "the document", method: "GET", path: "/api/v1/openapi.json", status: 200 },
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

test.each(["BREW", "PROPFIND"])(
  "a method that nobody knows is 501 below a deprecated version, which says so, and 410 below a retired one: %s",
  async (method) => {
    const head = (path: string): string =>
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const told = (await deprecated.raw(head(PARCELS))).toString().toLowerCase();
    expect(told).toContain("http/1.1 501");
    for (const [name, value] of Object.entries(TOLD)) {
      expect(told).toContain(`${name}: ${value.toLowerCase()}\r\n`);
    }
    const gone = (await retired.raw(head("/api/v7/widgets"))).toString();
    expect(gone).toContain("HTTP/1.1 410");
    expect(gone).toContain("Version v7 was retired. Served: v1.");
    expect((await retired.raw(head("/api/v1/widgets"))).toString()).toContain("HTTP/1.1 501");
  },
);

test("what is not below a deprecated version does not say so", async () => {
  for (const path of ["/api", "/api/v11/parcels", "/docs", "/healthz", "/nothing"]) {
    const { headers } = await deprecated.send("GET", path);
    expect([headers["deprecation"], headers["sunset"]]).toEqual([undefined, undefined]);
  }
});

test("an answer of a draft says nothing", async () => {
  const { headers } = await draft.send("GET", "/api/v1/widgets");
  expect([headers["deprecation"], headers["sunset"]]).toEqual([undefined, undefined]);
});

test("the document calls every operation of a deprecated version deprecated", async () => {
  const { paths, info } = (await deprecated.send("GET", "/api/v1/openapi.json"))
    .json as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { deprecated?: boolean }>>>>;
    readonly info: { readonly description: string };
  };
  const operations = Object.values(paths).flatMap((item) =>
    Object.entries(item).filter(([method]) => method !== "parameters"),
  );
  expect(operations.length).toBeGreaterThan(5);
  expect(operations.filter(([, operation]) => operation.deprecated !== true)).toEqual([]);
  expect(info.description).toContain(
    "v1 is deprecated from 2026-09-01, and may be gone from 2027-03-01",
  );
});

test.each(["", "/", "/widgets", "/widgets/1", "/openapi.json", "/nothing?pageSize=1"])(
  "every path of a retired version is gone: /api/v7%s",
  async (path) => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await retired.send(method, `/api/v7${path}`);
      expect(answer.status).toBe(410);
      if (method === "HEAD") continue;
      const { description } = expectError(answer, 410, "VersionRetiredMessage");
      expect(description).toBe("Version v7 was retired. Served: v1.");
    }
  },
);

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
  const asked = paths.map((path) => path.replace("{widgetId}", MISSING.slice(-36)));
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

test("generator verify tries both on a service", async () => {
  const rules = ["VER-1", "VER-4", "VER-5"];
  const first = await verifyAt(await fixtureModel("deprecated"), deprecated.url, { rules });
  expect(first.verdicts.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass"]);
  const model = await fixtureModel("contract");
  const gone = {
    name: "v7",
    status: "retired",
    deprecated: null,
    sunset: null,
    resources: [],
  } as const;
  const two = { ...model, versions: [...model.versions, gone] };
  const second = await verifyAt(two, retired.url, { rules });
  expect(second.verdicts.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass"]);
  // A version that never was is not gone.
  const wrong = { ...model, versions: [...model.versions, { ...gone, name: "v9" }] };
  const third = await verifyAt(wrong, retired.url, { rules: ["VER-4"] });
  expect(third.verdicts.map(({ outcome }) => outcome)).toEqual(["fail"]);
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

test("a PUT may leave out what was added after publishing, and keeps it, at any depth", async () => {
  const body = {
    label: "a",
    weight: 2,
    note: "fragile",
    priority: 1,
    stamps: ["x"],
    sender: { name: "Ann" },
    address: { street: "Elm Street", town: "Oakham" },
  };
  const made = await deprecated.create(PARCELS, body);
  const path = `${PARCELS}/${String(made["parcelId"])}`;
  const old = { label: "b", weight: null, address: { street: "Oak Street" } };
  const answer = await deprecated.send("PUT", path, { body: old });
  expect(answer.json).toMatchObject({
    ...body,
    ...old,
    address: { street: "Oak Street", town: "Oakham" },
  });
  // What is sent counts as ever; what was published has to be there.
  const sent = await deprecated.send("PUT", path, { body: { ...old, note: null, stamps: null } });
  expect(sent.json).toMatchObject({ note: null, stamps: [], sender: { name: "Ann" } });
  expectFields(await deprecated.send("PUT", path, { body: {} }), "label", "weight", "address");
  const emptied = await deprecated.send("PUT", path, { body: { ...old, address: null } });
  expect(emptied.json).toMatchObject({ address: null });
});

test("the document says which properties a PUT needs", async () => {
  const { components } = (await deprecated.send("GET", "/api/v1/openapi.json")).json as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, { required?: string[] }>> };
  };
  expect(components.schemas["ParcelReplaceDto"]?.required).toEqual(["label", "weight", "address"]);
});

const TICKETS = "resource: tickets\nentity: ticket\nproperties: { title: string }\n";

test.each([
  { status: "deprecated", code: "SCH-150" },
  { status: "{ status: deprecated }", code: "SCH-150" },
  { status: "{ status: deprecated, deprecated: 2026-13-01 }", code: "SCH-151" },
  { status: "{ status: deprecated, deprecated: 2026-02-02, sunset: 2026-02-01 }", code: "SCH-152" },
  { status: "{ status: published, deprecated: 2026-02-02 }", code: "SCH-153" },
  { status: "retired", code: "SCH-156" },
  { status: "gone", code: "SCH-10" },
])("versions: { v1: $status } is refused", async ({ status, code }) => {
  const told = await printed({
    "service.yaml": `service: helpdesk\nversions: { v1: ${status} }\n`,
    "resources/v1/tickets.yaml": TICKETS,
  });
  expect(told).toContain(`error  ${code}\n`);
});
