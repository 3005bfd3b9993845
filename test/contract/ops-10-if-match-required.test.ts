import { expect, test } from "vitest";
import { Client, type JsonObject } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const PERMITS = "/api/v1/permits";
const CLIENTS = 50;
const TIMES = 20;

const service = await startService();
/** Of any release, at a revision. */
const tagAt = (revision: number): string => `"${revision}-000000000000"`;

async function permit(): Promise<JsonObject> {
  return service.create(PERMITS, { title: "park" });
}

const BODIES = { PUT: { title: "stop", uses: 1 }, PATCH: { title: "stop" }, DELETE: undefined };

test.each(["PUT", "PATCH", "DELETE"] as const)(
  "a %s without If-Match is 428 where the resource demands it, and made with it",
  async (method) => {
    const path = pathOf(PERMITS, await permit());
    const body = BODIES[method];
    const sent = body === undefined ? {} : { body };
    expectError(await service.send(method, path, sent), 428, "PreconditionRequiredMessage");
    const other = { ...sent, headers: { "if-none-match": tagAt(9) } };
    expectError(await service.send(method, path, other), 428, "PreconditionRequiredMessage");
    expect((await service.send("GET", path)).json["title"]).toBe("park");
    const late = { ...sent, headers: { "if-match": tagAt(9) } };
    expectError(await service.send(method, path, late), 412, "PreconditionFailedMessage");
    const made = await service.send(method, path, { ...sent, headers: { "if-match": tagAt(1) } });
    expect(made.status).toBe(method === "DELETE" ? 204 : 200);
  },
);

test("what is not there is 404 all the same", async () => {
  const answer = await service.send("DELETE", `${PERMITS}/${MISSING}`);
  expectError(answer, 404, "PermitNotFoundMessage");
});

test("a representation demands what the original does, unless it says otherwise", async () => {
  const made = await permit();
  const body = { title: "stop" };
  const shown = pathOf("/api/v1/shownpermits", made);
  const refused = await service.send("PATCH", shown, { body });
  expectError(refused, 428, "PreconditionRequiredMessage");
  const changed = await service.send("PATCH", shown, { body, headers: { "if-match": tagAt(1) } });
  expect(changed.status).toBe(200);
  expect(changed.headers.etag).toMatch(/^"2-/);
  const loose = pathOf("/api/v1/loosepermits", made);
  expect((await service.send("PATCH", loose, { body: { title: "go" } })).status).toBe(200);
});

test("50 clients read and write back 20 times each, whatever they meet: exactly 1,000", async () => {
  const path = pathOf(PERMITS, await permit());
  let conflicts = 0;
  // Each kind of answer is held against the document above; here there are tens of thousands.
  const plain = new Client(service.port, { problems: () => [] });
  const countUp = async (): Promise<void> => {
    for (;;) {
      const start = performance.now();
      const { json, headers } = await plain.send("GET", path);
      const body = { ...json, uses: Number(json["uses"]) + 1 };
      const match = { "if-match": String(headers.etag) };
      const answer = await plain.send("PUT", path, { body, headers: match });
      if (answer.status === 200) return;
      // A busy service may refuse a request, and has stored nothing then.
      if (answer.status === 503) expectError(answer, 503, "ServiceUnavailableMessage");
      else expectError(answer, 412, "PreconditionFailedMessage");
      conflicts += 1;
      // Polite clients leave each other the time that one of them takes.
      const longest = Math.min(1000, (CLIENTS / 2) * (performance.now() - start));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
    }
  };
  const client = async (): Promise<void> => {
    for (let time = 0; time < TIMES; time += 1) await countUp();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect((await service.send("GET", path)).json["uses"]).toBe(CLIENTS * TIMES);
  // Had none of them met another, nothing would have been tested.
  expect(conflicts).toBeGreaterThan(0);
});

test("of a PATCH and a DELETE of the same revision one is made", async () => {
  for (let round = 0; round < 10; round += 1) {
    const path = pathOf(PERMITS, await permit());
    const headers = { "if-match": tagAt(1) };
    const answers = await Promise.all([
      service.send("PATCH", path, { body: { uses: 1 }, headers }),
      service.send("DELETE", path, { headers }),
      service.send("PATCH", path, { body: { uses: 2 }, headers }),
    ]);
    const made = answers.filter(({ status }) => status === 200 || status === 204);
    expect(made).toHaveLength(1);
    for (const { status } of answers) expect([200, 204, 404, 412]).toContain(status);
  }
});
