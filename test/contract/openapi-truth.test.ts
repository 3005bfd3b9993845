import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer, Json, JsonObject } from "./support/client.js";
import { postKeyed } from "./support/keyed.js";
import { OpenApiOracle, type Operation } from "./support/openapi-oracle.js";
import { object } from "./support/openapi-parts.js";
import {
  breakable,
  collectionOf,
  createdBy,
  creating,
  filled,
  matching,
  referring,
  REFUSALS,
  succeed,
  typesOf,
} from "./support/provoke.js";
import { newBadge, pathOf } from "./support/samples.js";
import { bodies } from "./support/schema-bodies.js";
import { startService } from "./support/service.js";
import { disagreements } from "./support/disagreements.js";
import { cases } from "../support/thorough.js";

/** Bodies for each operation. */
const RUNS = cases({ usual: 10, long: 60 });
/** Of the answers that operations list; one has about fifteen. */
const EACH = cases({ usual: 16, long: 1 });
const MANY = 500;
const AT_ONCE = 200;
/** Refusals of a body. */
const OF_BODIES = ["413", "415"];
/** What is asked for in tests of its own. */
const ELSEWHERE = ["default", "409"];
/** What is answered where no operation is, unless an operation lists it. */
const BEYOND = ["404", "405", "501"];
/** The services, and the same in a hurry: nothing there may take longer than a second. */
const STARTED = await Promise.all(
  ["contract", "golden/every-kind"].map(async (fixture) => {
    const service = await startService(fixture, { registry: breakable });
    const hasty = await startService(fixture, {
      registry: breakable,
      // Each operation is left hanging, and none may wait for another.
      limits: { requestSeconds: 1, concurrentRequests: 10_000 },
    });
    const oracle = new OpenApiOracle(await service.read("/api/v1/openapi.json"));
    return { fixture, service, hasty, oracle };
  }),
);

test.each(STARTED)(
  "every status that an operation of $fixture lists is answered, as the document says",
  async ({ service, hasty, oracle }) => {
    const requests = oracle.operations.flatMap((operation) => {
      const listed = Object.keys(operation.operation["responses"] as object);
      const common = oracle.commonRefusals.map(({ status }) => String(status));
      const isPossible = (status: string): boolean =>
        operation.operation["requestBody"] !== undefined || !OF_BODIES.includes(status);
      const statuses = new Set([...listed, ...common.filter(isPossible)]);
      return [...statuses].map((status) => ({ operation, status }));
    });
    const asked = requests.filter(({ operation: { operation }, status }) => {
      const isListed = object(operation["responses"])[status] !== undefined;
      return !ELSEWHERE.includes(status) && (isListed || !BEYOND.includes(status));
    });
    // Every status is there, whatever is left out.
    const isFirst = ({ status }: (typeof asked)[number], index: number): boolean =>
      asked.findIndex((one) => one.status === status) === index;
    const tried = asked.filter(
      (one, index) => asked.length < MANY || index % EACH === 0 || isFirst(one, index),
    );
    const check = async ({ operation, status }: (typeof asked)[number]) => {
      const provoke = status.startsWith("2") ? succeed : REFUSALS[status];
      const stage = { service: ["408", "504"].includes(status) ? hasty : service, oracle };
      const answer = await provoke?.(stage, operation);
      if (answer === undefined) return [`${status} of ${nameOf(operation)}: nothing leads to it`];
      expect(String(answer.status), nameOf(operation)).toBe(status);
      return oracle.answerProblems(operation, answer);
    };
    // All at once would be more than a service takes that shares its event loop with the tests (LIM-2).
    for (let first = 0; first < tried.length; first += AT_ONCE) {
      const checked = tried.slice(first, first + AT_ONCE).map(check);
      expect((await Promise.all(checked)).flat()).toEqual([]);
    }
  },
);

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

test("conflicts are answered as the document says", async () => {
  const [{ service, oracle } = never()] = STARTED;
  const seen = new Set<string>();
  const check = (method: string, path: string, answer: Answer): void => {
    const operation = oracle.operations.find(
      (each) => each.method === method && each.path === path,
    );
    expect(oracle.answerProblems(operation ?? never(), answer)).toEqual([]);
    for (const type of typesOf(answer.json)) seen.add(type);
  };
  const send = async (method: string, path: string, target: string, body: Json): Promise<void> => {
    check(method, path, await service.send(method, target, { body: body as never }));
  };
  await service.create("/api/v1/badges", newBadge("one"));
  const other = await service.create("/api/v1/badges", newBadge("two"));
  const taken = { ...other, serial: "one" };
  const badge = "/api/v1/badges/{badgeId}";
  await send("POST", "/api/v1/badges", "/api/v1/badges", newBadge("one"));
  await send("PUT", badge, pathOf("/api/v1/badges", other), taken);
  await send("PATCH", badge, pathOf("/api/v1/badges", other), { serial: "one" });
  const order = await service.create("/api/v1/orders", {});
  const orderPath = pathOf("/api/v1/orders", order);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    await send(method, "/api/v1/orders/{orderId}", orderPath, { ...order, status: "shipped" });
  }
  await send("POST", "/api/v1/orders", "/api/v1/orders", { status: "shipped" });
  const first = { "/api/v1/badges": newBadge("three"), "/api/v1/widgets": { name: "drill" } };
  for (const [path, body] of Object.entries(first)) {
    expect((await postKeyed(service, path, "conflict", body)).status).toBe(201);
    check("POST", path, await postKeyed(service, path, "conflict", {}));
  }
  expect([...seen].sort()).toEqual([
    "BadgeAlreadyExistsMessage",
    "IdempotencyKeyReusedMessage",
    "InvalidOrderStateMessage",
  ]);
});

test.each(STARTED)(
  "the document of $fixture says of every error of the service's own where it comes from",
  ({ oracle }) => {
    const said = oracle.commonRefusals.map(({ status, types, header }) => [status, types, header]);
    expect(said).toEqual([
      [400, ["MalformedRequestMessage"], null],
      [404, ["PathNotFoundMessage", "VersionNotFoundMessage"], null],
      [405, ["MethodNotAllowedMessage"], "Allow"],
      [406, ["NotAcceptableMessage"], null],
      [408, ["TimeoutMessage"], null],
      [413, ["PayloadTooLargeMessage"], null],
      [414, ["UriTooLongMessage"], null],
      [415, ["UnsupportedMediaTypeMessage"], "Accept or Accept-Encoding"],
      [417, ["ExpectationFailedMessage"], null],
      [431, ["HeadersTooLargeMessage"], null],
      [500, ["InternalErrorMessage"], null],
      [501, ["NotImplementedMessage"], null],
      [503, ["ServiceUnavailableMessage"], "Retry-After"],
      [504, ["TimeoutMessage"], null],
    ]);
  },
);

test.each(STARTED)(
  "what $fixture answers where no operation is has the form of the document",
  async ({ service, oracle }) => {
    const [operation = never()] = oracle.operations;
    const answers = [
      await service.send("PUT", operation.path, { body: {} }),
      await service.send("DELETE", operation.path),
      await service.send("GET", "/api/v1/nothing"),
      await service.send("GET", "/api/nothing"),
      await service.send("PROPFIND", operation.path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 405, 404, 404, 501]);
    for (const answer of answers) {
      expect(oracle.answerProblems(operation, answer)).toEqual([]);
    }
  },
);

test("an answer to any request that is not as the document says is noticed", async () => {
  const [{ service, oracle } = never()] = STARTED;
  const widgets = "/api/v1/widgets?pageSize=1";
  const page = await service.send("GET", widgets);
  const lost = await service.send("GET", "/api/v1/nothing");
  const problems = (path: string, answer: Answer): string =>
    oracle.problems({ method: "GET", path }, answer).join();
  const withBody = (answer: Answer, text: string): Answer => ({
    ...answer,
    bytes: Buffer.from(text),
  });
  expect([problems(widgets, page), problems("/api/v1/nothing", lost)]).toEqual(["", ""]);
  expect(problems(widgets, { ...page, status: 299 })).toMatch(/^299 is not listed/);
  expect(problems(widgets, { ...page, headers: {} })).toBe(
    "header x-request-id is missing,its type is undefined",
  );
  expect(problems(widgets, { ...page, status: 405, headers: {} })).toMatch(/^Allow is missing/);
  expect(problems(widgets, withBody(page, '{"results": null}'))).toMatch(/\/results must be array/);
  const untold = lost.text.replace("PathNotFoundMessage", "UntoldMessage");
  expect(problems("/api/v1/nothing", withBody(lost, untold))).toBe("UntoldMessage is not listed");
  expect(problems("/api/v1/nothing", withBody(lost, "{}"))).not.toBe("");
});

const WITH_BODIES = STARTED.flatMap(({ fixture, service, oracle }) =>
  oracle.operations
    .filter(({ operation }) => operation["requestBody"] !== undefined)
    .map((operation) => ({ fixture, service, oracle, operation, name: nameOf(operation) })),
);

test.each(WITH_BODIES)(
  "$name of $fixture takes the bodies that its schema allows, and no others",
  async ({ service, oracle, operation }) => {
    const { method, path } = operation;
    const schema = oracle.bodySchema(operation) ?? never();
    const checkBody = async ([sampled, leads]: readonly [JsonObject, boolean]): Promise<void> => {
      const stage = { service, oracle };
      // Without what they lead to, references would hide what else is judged.
      const body = leads ? await referring(stage, { path, schema }, sampled) : sampled;
      const target =
        method === "POST"
          ? await filled(stage, path)
          : pathOf(collectionOf(path), (await createdBy(stage, collectionOf(path))).json);
      const headers = method === "POST" ? {} : matching(operation);
      const answer = await service.send(method, target, { headers, body });
      expect(oracle.answerProblems(operation, answer)).toEqual([]);
      expect(disagreements(oracle, operation, { body, answer })).toEqual([]);
    };
    const asked = fc.tuple(bodies(schema), fc.boolean());
    await fc.assert(fc.asyncProperty(asked, checkBody), { numRuns: RUNS });
  },
);

test.each(WITH_BODIES.filter(({ operation }) => operation.method === "POST"))(
  "$name of $fixture demands what its schema requires, and nothing else",
  async ({ service, oracle, operation: { path }, operation }) => {
    const schema = oracle.bodySchema(operation) ?? never();
    const demanded = await Promise.all(
      Object.keys(object(schema["properties"])).map(async (name) => {
        const { [name]: left, ...body } = await creating({ service, oracle }, operation);
        const target = await filled({ service, oracle }, path);
        const answer = await service.send("POST", target, { body });
        // 409: judged as right, and there is one like it already.
        expect([200, 201, 400, 409], `${name} was ${JSON.stringify(left)}`).toContain(
          answer.status,
        );
        return answer.status === 400 ? [name] : [];
      }),
    );
    expect(demanded.flat()).toEqual(schema["required"] ?? []);
  },
);

function never(): never {
  throw new Error("not there");
}
