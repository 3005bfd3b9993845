import { beforeAll, expect, test } from "vitest";
import { resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const service = await startSecured(server.url);

/** Who asks: `owner` has created the entity, `other` has not; both have no role. */
const TOKENS: Readonly<Record<string, string | null>> = {
  nobody: null,
  owner: await tokenOf(keys, "owner"),
  other: await tokenOf(keys, "other"),
  clerk: await tokenOf(keys, "clerk", ["clerk"]),
  admin: await tokenOf(keys, "admin", ["admin"]),
  editor: await tokenOf(keys, "editor", ["editor"]),
  keeper: await tokenOf(keys, "keeper", ["keeper"]),
};
const CALLERS = Object.keys(TOKENS);

/** The statuses in the order of the callers above. */
const MATRIX: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  drafts: {
    list: [401, 200, 200, 200, 200, 200, 200],
    create: [401, 201, 201, 201, 201, 201, 201],
    read: [401, 200, 200, 200, 200, 200, 200],
    replace: [401, 200, 200, 200, 200, 200, 200],
    update: [401, 200, 200, 200, 200, 200, 200],
    delete: [401, 204, 204, 204, 204, 204, 204],
  },
  notices: {
    list: [200, 200, 200, 200, 200, 200, 200],
    create: [401, 403, 403, 403, 201, 201, 403],
    read: [200, 200, 200, 200, 200, 200, 200],
    replace: [401, 200, 403, 403, 403, 403, 403],
    update: [401, 200, 403, 403, 403, 403, 403],
    delete: [401, 204, 403, 403, 204, 403, 403],
  },
  pamphlets: {
    list: [200, 200, 200, 200, 200, 200, 200],
    create: [201, 201, 201, 201, 201, 201, 201],
    read: [200, 200, 200, 200, 200, 200, 200],
    replace: [200, 200, 200, 200, 200, 200, 200],
    update: [200, 200, 200, 200, 200, 200, 200],
    delete: [204, 204, 204, 204, 204, 204, 204],
  },
  parcels: {
    list: [401, 200, 200, 200, 200, 200, 200],
    create: [401, 201, 201, 201, 201, 201, 201],
    read: [401, 200, 404, 200, 404, 404, 404],
    replace: [401, 200, 404, 200, 404, 404, 404],
    update: [401, 200, 404, 200, 404, 404, 404],
    delete: [401, 403, 404, 403, 404, 404, 404],
  },
  waitingparcels: {
    list: [401, 200, 200, 200, 200, 200, 200],
    create: [401, 403, 403, 403, 403, 403, 403],
    read: [401, 200, 404, 404, 404, 404, 404],
    replace: [401, 403, 404, 404, 404, 404, 404],
    update: [401, 403, 404, 404, 404, 404, 404],
    delete: [401, 204, 404, 404, 404, 404, 404],
  },
  suggestions: {
    list: [401, 200, 200, 200, 200, 200, 200],
    create: [201, 201, 201, 201, 201, 201, 201],
    read: [401, 200, 404, 404, 404, 404, 200],
    replace: [401, 200, 404, 404, 404, 404, 200],
    update: [401, 200, 404, 404, 404, 404, 200],
    delete: [401, 204, 404, 404, 404, 404, 204],
  },
};

const BODIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  parcels: { label: "a", status: "packed" },
  waitingparcels: { label: "a", state: "packed" },
};
/** The roles of who creates, where not everybody may. */
const CREATORS: Readonly<Record<string, readonly string[]>> = {
  notices: ["editor"],
  waitingparcels: ["sender"],
};
const METHODS: Readonly<Record<string, string>> = {
  list: "GET",
  create: "POST",
  read: "GET",
  replace: "PUT",
  update: "PATCH",
  delete: "DELETE",
};

/** An entity that `owner` has created, with the role that this takes. */
async function pathOfOwned(resource: string): Promise<string> {
  const token = await tokenOf(keys, "owner", CREATORS[resource] ?? []);
  const made = await sendAs(service, token, ["POST", `/api/v1/${resource}`], bodyOf(resource));
  expect(made.status, made.text).toBe(201);
  return made.headers.location?.slice(service.url.length) ?? "";
}

function bodyOf(resource: string): Readonly<Record<string, string>> {
  return BODIES[resource] ?? { text: "a" };
}

const CASES = Object.entries(MATRIX).flatMap(([resource, operations]) =>
  Object.entries(operations).flatMap(([operation, statuses]) =>
    CALLERS.map((caller, index) => ({ caller, operation, resource, status: statuses[index] ?? 0 })),
  ),
);

test.each(CASES)(
  "$caller, $operation of $resource: $status",
  async ({ caller, operation, resource, status }) => {
    const isAddressed = operation !== "list" && operation !== "create";
    const path = isAddressed ? await pathOfOwned(resource) : `/api/v1/${resource}`;
    const body = /list|read|delete/.test(operation) ? undefined : bodyOf(resource);
    const request = [METHODS[operation] ?? "", path] as const;
    const answer = await sendAs(service, TOKENS[caller] ?? null, request, body);
    expect(answer.status, answer.text).toBe(status);
    if (!isAddressed || status < 300) return;
    // What was refused has changed nothing.
    const admin = await tokenOf(keys, "owner", ["admin", "clerk", "keeper", "editor"]);
    expect((await sendAs(service, admin, ["GET", path])).status).toBe(200);
  },
);

test("what may not be read is answered as what is not there", async () => {
  const path = await pathOfOwned("parcels");
  const missing = "/api/v1/parcels/0192aaaa-0000-7000-8000-000000000000";
  const token = TOKENS["other"] ?? null;
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const body = method.startsWith("P") ? bodyOf("parcels") : undefined;
    const hidden = await sendAs(service, token, [method, path], body);
    const absent = await sendAs(service, token, [method, missing], body);
    const id = path.slice(path.lastIndexOf("/") + 1);
    expect(hidden.status).toBe(404);
    expect(hidden.text.replace(id, "")).toBe(
      absent.text.replace("0192aaaa-0000-7000-8000-000000000000", ""),
    );
  }
});

test("a body that is refused is not looked at where the caller may not even see the entity", async () => {
  const path = await pathOfOwned("parcels");
  const wrong = { nosuch: 1 };
  expect((await sendAs(service, TOKENS["other"] ?? null, ["PATCH", path], wrong)).status).toBe(404);
  const create = ["POST", "/api/v1/notices"] as const;
  expect((await sendAs(service, TOKENS["other"] ?? null, create, "{")).status).toBe(403);
});

const mine = { token: "", others: "" };
beforeAll(async () => {
  mine.token = await tokenOf(keys, "lister");
  mine.others = await tokenOf(keys, "stranger");
  for (const [token, labels] of [
    [mine.token, ["c", "a", "b"]],
    [mine.others, ["d", "e"]],
  ] as const) {
    for (const label of labels) {
      await sendAs(service, token, ["POST", "/api/v1/parcels"], { label });
    }
  }
});

test.each([
  ["", ["c", "a", "b"], 3],
  ["?sort=-label", ["c", "b", "a"], 3],
  ["?pageSize=2&pageNumber=2", ["b"], 3],
  ["?pageSize=1", ["c"], 3],
  ["?label=d", [], 0],
  ["?label=a&label=d", ["a"], 1],
  ["/packedones", ["a", "b", "c"], 3],
  ["/packedones?pageSize=2", ["a", "b"], 3],
])("a list shows and counts what its caller may read: %s", async (search, labels, itemCount) => {
  const answer = await sendAs(service, mine.token, ["GET", `/api/v1/parcels${search}`]);
  expect(answer.json).toMatchObject({ itemCount });
  expect(resultsOf(answer.json).map(({ label }) => label)).toEqual(labels);
});

test("a list shows everything to who may read everything, and cannot be filtered by its owner", async () => {
  const clerk = TOKENS["clerk"] ?? null;
  const labels = "?label=c&label=d";
  const answer = await sendAs(service, clerk, ["GET", `/api/v1/parcels${labels}`]);
  expect(answer.json).toMatchObject({ itemCount: 2 });
  const byOwner = "?createdSubject.subjectId=00000000-0000-0000-0000-000000000000";
  expect((await sendAs(service, clerk, ["GET", `/api/v1/parcels${byOwner}`])).status).toBe(400);
});

test("what nobody created is nobody's own, and the subject of nobody does not own it", async () => {
  const made = await sendAs(service, null, ["POST", "/api/v1/suggestions"], { text: "a" });
  const path = made.headers.location?.slice(service.url.length) ?? "";
  const nil = await tokenOf(keys, "00000000-0000-0000-0000-000000000000");
  expect((await sendAs(service, null, ["GET", path])).status).toBe(401);
  expect((await sendAs(service, nil, ["GET", path])).status).toBe(404);
});
