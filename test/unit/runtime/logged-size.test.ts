import { expect, test } from "vitest";
import { loggedError, loggedMessage } from "#runtime/http/log";

// However large a thrown error is, its line is short, and little of the error is read for it.

const MANY = 100_000;
const MOST_BYTES = 256 * 1024;
/** Of getters, of `toJSON` and of what a proxy is asked. */
const MOST_READS = 5000;

/** What was thrown, which counts how often it is asked for something. */
type Thrown = (count: () => void) => unknown;

function listOf<T>(make: (index: number) => T, length = MANY): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function chain(length: number): Error {
  let error = new Error("the last cause");
  for (let index = 0; index < length; index += 1) error = new Error(`c${index}`, { cause: error });
  return error;
}

function holding(properties: object): Error {
  return Object.assign(new Error("the shelf is gone"), properties);
}

function withGetter(name: string, get: () => unknown): Error {
  return Object.defineProperty(new Error("the shelf is gone"), name, { get, enumerable: true });
}

/** Every question to it counts, and its parts are such proxies as well. */
function counted<T extends object>(target: T, count: () => void): T {
  const part = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? counted(value, count) : value;
  return new Proxy(target, {
    get: (object, name) => {
      count();
      return part(Reflect.get(object, name));
    },
  });
}

function circle(): Error {
  const first = new Error("first");
  first.cause = new Error("second", { cause: first });
  return first;
}

/** Makes another one whenever it is asked. */
function endless(name: string, count: () => void): Error {
  return withGetter(name, () => {
    count();
    return name === "errors" ? [endless(name, count), endless(name, count)] : endless(name, count);
  });
}

const refuse = (): never => {
  throw new Error("no");
};

const THROWN: Readonly<Record<string, Thrown>> = {
  "many errors": () =>
    new AggregateError(
      listOf((index) => new Error(`e${index}`)),
      "many",
    ),
  "many errors with many causes": () =>
    new AggregateError(
      listOf(() => chain(50), 100),
      "many",
    ),
  "many errors with long texts": () =>
    new AggregateError(
      listOf(() => holding({ message: "m".repeat(MANY), stack: "s".repeat(MANY) }), 30),
    ),
  "many errors with large properties": () =>
    new AggregateError(listOf(() => holding({ list: listOf((index) => index, 1000) }), 100)),
  "many errors in many errors": () =>
    new AggregateError(listOf(() => new AggregateError(listOf(() => new Error("e"), 100)), 100)),
  "errors that are proxies": (count) =>
    Object.assign(new Error("x"), {
      errors: counted(
        listOf(() => new Error("e")),
        count,
      ),
    }),
  "errors that are plain objects": (count) =>
    holding({
      errors: listOf((index) => counted({ index, list: listOf((one) => one, 10) }, count)),
    }),
  "errors that hold themselves": () => {
    const error = new AggregateError([], "many");
    error.errors.push(error, error);
    return error;
  },
  "errors without an end": (count) => endless("errors", count),
  "errors that throw": () => withGetter("errors", refuse),
  "errors that are no list": () => holding({ errors: { path: listOf((index) => ({ index })) } }),
  "errors of which each throws": () =>
    holding({
      errors: new Proxy([1, 2, 3], {
        get: (list, name) => (name === "0" ? refuse() : Reflect.get(list, name)),
      }),
    }),
  "many causes": () => chain(MANY),
  "causes in a circle": () => circle(),
  "causes without an end": (count) => endless("cause", count),
  "a cause that throws": () => withGetter("cause", refuse),
  "a cause that cannot be read": () => {
    const { proxy, revoke } = Proxy.revocable(new Error("gone"), {});
    revoke();
    return new Error("the shelf is gone", { cause: proxy });
  },
  "causes with many errors": () =>
    new Error("x", {
      cause: new AggregateError(
        listOf((index) => new Error(`e${index}`)),
        "many",
      ),
    }),
  "a long message": () => new Error("m".repeat(10 * MANY)),
  "long texts that JSON escapes": () =>
    Object.assign(new AggregateError(listOf(() => holding({ stack: "\u0001".repeat(MANY) }), 30)), {
      message: "\u0001".repeat(MANY),
      text: "\u0001".repeat(MANY),
    }),
  "a long stack": () => holding({ stack: "s".repeat(10 * MANY) }),
  "a message that is a list": () => holding({ message: listOf((index) => index) }),
  "a list": (count) =>
    holding({
      list: counted(
        listOf((index) => ({ index })),
        count,
      ),
    }),
  "a wide object": (count) =>
    holding({ wide: counted(Object.fromEntries(listOf((index) => [`n${index}`, index])), count) }),
  "an object with long names": () => holding({ wide: { ["n".repeat(MANY)]: 1 } }),
  "a deep object": (count) => {
    let deep: object = {};
    for (let index = 0; index < MANY; index += 1) deep = { deep };
    return holding({ deep: counted(deep, count) });
  },
  "much that is undefined": (count) =>
    holding({
      list: counted(
        listOf(() => ({ nothing: undefined })),
        count,
      ),
    }),
  "a sparse list": () => holding({ list: new Array<number>(2 ** 32 - 1) }),
  "many properties": () =>
    holding(Object.fromEntries(listOf((index) => [`n${index}`, "v".repeat(900)]))),
  "a Map and a Set": () =>
    holding({ map: new Map(listOf((index) => [index, index])), set: new Set([1]) }),
  bytes: () => holding({ body: Buffer.alloc(10 * MANY), view: new Float64Array(MANY) }),
  "a toJSON that counts": (count) =>
    holding({ list: listOf((index) => ({ toJSON: () => (count(), index) })) }),
  "a toJSON that throws": () => holding({ shelf: { toJSON: refuse } }),
  "a toJSON that leads to itself": (count) => {
    const self = { toJSON: () => (count(), { self: { ...self } }) };
    return holding({ self });
  },
  "a list that is no error": () => listOf((index) => index),
  "an object that is no error": (count) => counted({ list: listOf((index) => index) }, count),
};

test.each(Object.keys(THROWN))("%s: a short line, and little is read", (what) => {
  let reads = 0;
  const thrown = THROWN[what]?.(() => (reads += 1));
  const line = JSON.stringify(loggedError(thrown));
  expect(Buffer.byteLength(line)).toBeLessThan(MOST_BYTES);
  expect(reads).toBeLessThan(MOST_READS);
  expect(loggedError(thrown).type).not.toBe("unreadable");
});

test("of many errors the first 20 are there, each with 4 of its causes, and their number", () => {
  const many = listOf((index) => new Error(`e${index}`, { cause: chain(9) }), 1000);
  const { errors } = loggedError(new AggregateError(many, "many"));
  expect(errors).toHaveLength(21);
  expect(errors).toContainEqual({
    type: "Error",
    message: "e19: c8: c7: c6: c5: …",
    stack: expect.stringMatching(/^Error: e19\n(?:.*\ncaused by: ){4}Error: c5\n/s),
  });
  expect(errors).toContain("… (cut, 1000 items)");
});

test("of many causes 4 are there, each once", () => {
  expect(loggedError(chain(4)).message).toBe("c3: c2: c1: c0: the last cause");
  expect(loggedError(chain(5)).message).toBe("c4: c3: c2: c1: c0: …");
  expect(loggedError(circle()).message).toBe("first: second");
});

test("what a cause has in its errors is there as well", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const inner = new AggregateError([refused, new Error("other")], "all failed");
  const { message, errors } = loggedError(new Error("fetch failed", { cause: inner }));
  expect(message).toBe("fetch failed: all failed");
  expect(errors).toMatchObject([
    { message: "connect ECONNREFUSED", code: "ECONNREFUSED" },
    { message: "other" },
  ]);
  const twice = loggedError(new AggregateError([inner, new Error("last")], "outer"));
  expect(twice["errors"]).toMatchObject([{ errors: [{}, {}] }, { message: "last" }]);
});

test("errors that cannot be read cost nothing but themselves", () => {
  const broken = withGetter("message", refuse);
  const { message, errors } = loggedError(
    new AggregateError([broken, null, "text", 5n, { a: 1 }], "x"),
  );
  expect(message).toBe("x");
  expect(errors).toMatchObject([
    { type: "Error", message: "unreadable" },
    null,
    "text",
    "5",
    { a: 1 },
  ]);
  expect(loggedError(withGetter("errors", refuse))).toMatchObject({ errors: "unreadable" });
  expect(loggedError(new Error("a", { cause: broken }))).toMatchObject({
    message: "a: unreadable",
  });
});

test("what is short is in the log as it is, and of what is long some", () => {
  const at = new Date("2026-01-31T00:00:00.000Z");
  const short = { at, list: [undefined, null, Number.NaN, () => 1], nothing: undefined, text: "é" };
  const { shown, long, wide, view, deep } = loggedError(
    holding({
      shown: short,
      long: [`${"x".repeat(1400)}${"y".repeat(600)}`],
      wide: listOf(() => 7),
      view: Buffer.alloc(5000),
      deep: listOf(() => listOf(() => "z".repeat(90), 20), 20),
    }),
  );
  expect(JSON.parse(JSON.stringify(shown))).toEqual(JSON.parse(JSON.stringify(short)));
  const cut = "… (cut, 2000 characters) …";
  expect(long).toEqual([`${"x".repeat(500)}${cut}${"y".repeat(500)}`]);
  expect(wide).toEqual([...listOf(() => 7, 20), `… (cut, ${MANY} items)`]);
  expect(view).toBe("Buffer of 5000 bytes");
  expect(JSON.stringify(deep).length).toBeLessThan(3000);
});

test("of a long message the stack has its lines all the same", () => {
  const { message, stack } = loggedError(new Error("m".repeat(MANY)));
  expect(message).toBe(`${"m".repeat(2000)}… (cut, ${MANY} characters) …${"m".repeat(2000)}`);
  expect(stack).toContain("logged-size.test.ts");
});

test("a line of an error alone has a bounded message", () => {
  expect(loggedMessage("m".repeat(4000))).toBe("m".repeat(4000));
  expect(loggedMessage("m".repeat(MANY))).toContain(`… (cut, ${MANY} characters) …`);
  expect(loggedMessage(undefined)).toBe(undefined);
});
