import { expect, test } from "vitest";
import { changes } from "../../../src/commands/changes.js";
import { changesOf } from "../../../src/commands/changes-report.js";
import { publish } from "../../../src/commands/publish.js";
import { validate } from "../../../src/commands/validate.js";
import { textHash } from "../../../src/apply/text-hash.js";
import { expectSuccess } from "../../support/expect-success.js";
import { codesOf, MemoryProject, told } from "../../support/memory-project.js";

const SERVICE = "service.yaml";
const CONTRACT = "contract/v1.json";
const BEARER =
  "authentication: { scheme: bearer, issuer: https://a.example.com/, audience: shop, keys: keys.json }\n";

/** A published service that announces what `events` says. */
async function published(events: string): Promise<MemoryProject> {
  const made = new MemoryProject({
    [SERVICE]: `service: shop\nversions: { v1: draft }\n${BEARER}`,
    "resources/v1/orders.yaml": `resource: orders\nentity: order\n${events}properties: { note: string }\n`,
  });
  expect(told(await publish(made.env, "v1"))).toBe("");
  return made;
}

/** What becomes of the promise: each kind of edit with its class, and what to do next. */
async function verdicts(made: MemoryProject): Promise<{ found: string[]; next: string }> {
  const request = { version: "v1", since: null };
  const report = expectSuccess(
    await changes(made.env, request, { schemasAt: () => new Map(), promiseOf: () => null }),
  );
  const [version] = report.versions;
  if (version === undefined) throw new Error("there is no v1");
  return {
    found: changesOf(version).map((change) => `${change.kind}: ${change.class}`),
    next: version.next,
  };
}

const ANNOUNCED = "events: [created]\n";

test("another name of a service with events breaks subscribers: every type and source changes", async () => {
  const made = await published(ANNOUNCED);
  made.edit(SERVICE, "service: shop", "service: store");
  expect((await verdicts(made)).found).toEqual([
    "event-types-changed: breaking",
    "event-source-changed: breaking",
  ]);
  const refused = await made.generate();
  expect(codesOf(refused)).toEqual(["VER-3", "VER-3"]);
  expect(told(refused)).toContain("Keep `service`, and change `title`");
  expect(told(refused)).toContain('`events: { source: "/shop" }`');
});

test("another source breaks subscribers, and the source that is said is kept under another name", async () => {
  const made = await published(ANNOUNCED);
  made.edit(SERVICE, "versions:", "events: { source: https://example.com/shop }\nversions:");
  expect((await verdicts(made)).found).toEqual(["event-source-changed: breaking"]);
  made.edit(SERVICE, "https://example.com/shop", "/shop");
  expect((await verdicts(made)).found).toEqual([]);
  made.edit(SERVICE, "service: shop", "service: store");
  expect((await verdicts(made)).found).toEqual(["event-types-changed: breaking"]);
});

test("another name of a service without events is reported, and not refused", async () => {
  const made = await published("");
  made.edit(SERVICE, "service: shop", "service: store");
  expect((await verdicts(made)).found).toEqual(["service-renamed: operational"]);
  expect(told(await made.generate())).toBe("");
  expect((await verdicts(made)).found).toEqual([]);
});

test("events that a version has only now have promised no source", async () => {
  const made = await published("");
  made.edit("resources/v1/orders.yaml", "properties:", `${ANNOUNCED}properties:`);
  made.edit(SERVICE, "versions:", "events: { source: https://example.com/shop }\nversions:");
  expect((await verdicts(made)).found).toEqual(["event-added: compatible"]);
});

test.each([
  ["issuer", "issuer: https://a.example.com/", "issuer: https://b.example.com/"],
  ["audience", "audience: shop", "audience: store"],
  ["roles", "keys: keys.json", "keys: keys.json, roles: realm_access.roles"],
])("another %s is reported against the promise, and never refused", async (_name, from, to) => {
  const made = await published("");
  made.edit(SERVICE, from, to);
  expect((await verdicts(made)).found).toEqual(["tokens-changed: operational"]);
  expect(told(await validate(made.env))).toBe("");
  expect(told(await made.generate())).toBe("");
  expect((await verdicts(made)).found).toEqual([]);
});

/** The promise as the former format has it. */
function inFormerFormat(made: MemoryProject): string {
  const { service, eventSource, tokens, ...rest } = JSON.parse(made.read(CONTRACT)) as Record<
    string,
    unknown
  >;
  expect([service, eventSource, tokens]).not.toContain(undefined);
  return JSON.stringify({ ...rest, format: 3 });
}

test("a contract of the former format does not promise the names, and the next run adds them and says so", async () => {
  const made = await published(ANNOUNCED);
  const former = inFormerFormat(made);
  // As the generator of that time left it, with its line in generator.lock.
  made.edit("generator.lock", textHash(made.read(CONTRACT)), textHash(former));
  made.write(CONTRACT, former);
  made.edit(SERVICE, "audience: shop", "audience: store");
  made.edit(SERVICE, "service: shop", "service: store");
  expect(await verdicts(made)).toEqual({
    found: [],
    next: "contract/v1.json does not record the name of the service, the source of its events and its tokens yet. generator generate adds them.",
  });
  expect(await made.generate()).toMatchObject({
    ok: true,
    value: { upgradedContracts: [CONTRACT] },
  });
  expect(JSON.parse(made.read(CONTRACT))).toMatchObject({
    ...{ format: 4, service: "store", eventSource: "/store" },
    tokens: { issuer: "https://a.example.com/", audience: "store", roles: "roles" },
  });
  expect(await made.generate()).toMatchObject({ ok: true, value: { upgradedContracts: [] } });
  made.edit(SERVICE, "service: store", "service: shop");
  expect((await verdicts(made)).found).toContain("event-types-changed: breaking");
});

test.each([
  ["service", 1],
  ["eventSource", 1],
  ["tokens", "none"],
  ["format", 5],
])("a contract with another %s is damaged", async (name, value) => {
  const made = await published(ANNOUNCED);
  const contract = JSON.parse(made.read(CONTRACT)) as Record<string, unknown>;
  made.write(CONTRACT, JSON.stringify({ ...contract, [name]: value }));
  expect(codesOf(await validate(made.env))).toContain("SCH-154");
});
