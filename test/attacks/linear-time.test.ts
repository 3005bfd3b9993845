import { Agent, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { newKeys, startKeyServer, startSecured } from "../contract/support/secured.js";
import { startService } from "../contract/support/service.js";

// What a request makes a service read costs time in proportion to its length: twice the length, about twice the time.

/** Less than this is no harm, whatever it grows with: a client can only send so many bytes. */
const HARMLESS_MILLISECONDS = 4;
/** Linear is 2, quadratic is 4. */
const MOST_GROWTH = 3;
const ROUNDS = 5;
const ATTEMPTS = 4;

const HEADER = 14_000;
const TARGET = 8000;
const BODY = 800_000;

/** A request of about that many characters. */
interface Attack {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

const JSON_BODY = { "content-type": "application/json" };
const WIDGETS = "/api/v1/widgets";
const service = await startService();
const keys = await startKeyServer([(await newKeys("first")).jwk]);
const secured = await startSecured(keys.url);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** The text again and again, up to a length. */
function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

async function send(port: number, { method = "GET", path = WIDGETS, ...sent }: Attack) {
  const { headers = {}, body } = sent;
  return new Promise<number>((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path, headers, agent },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** CPU time of one request in milliseconds: the median of several, the client's part included. */
async function cost(port: number, attack: Attack): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    const status = await send(port, attack);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
    // Read, and not cut off by a limit on the way.
    expect([413, 414, 431]).not.toContain(status);
  }
  return costs.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

async function expectLinear(port: number, make: (length: number) => Attack, longest: number) {
  let seen = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const whole = await cost(port, make(longest));
    if (whole < HARMLESS_MILLISECONDS) return;
    const half = await cost(port, make(longest / 2));
    if (whole < MOST_GROWTH * half) return;
    seen += ` ${half.toFixed(1)} -> ${whole.toFixed(1)} ms;`;
  }
  expect.fail(`twice the length costs${seen}`);
}

const VALUES: Readonly<Record<string, string>> = {
  "an unbalanced quote": '",',
  "one quote that never ends": "x",
  "escaped quotes": '\\"',
  backslashes: "\\",
  commas: ",",
  "media ranges": "*/*,",
  parameters: ";q=0.5",
  quotes: '""',
  spaces: " \t",
  "equals signs": "=",
  names: "a,",
  "quoted texts": '"a",',
  tokens: "a=b; ",
  numbers: "0-1,",
};
const NAMES = [
  ...["accept", "accept-encoding", "accept-language", "content-type", "content-encoding"],
  ...["x-request-id", "if-match", "if-none-match", "if-modified-since", "range", "cookie"],
  ...["x-forwarded-for", "forwarded", "expect", "te", "upgrade", "idempotency-key", "prefer"],
];

test.each(NAMES)("the header %s is read in linear time", async (name) => {
  for (const text of Object.values(VALUES)) {
    for (const start of ["", '"']) {
      const make = (length: number): Attack => {
        const value = start + filled(text, length);
        return name.startsWith("content-")
          ? { method: "POST", headers: { ...JSON_BODY, [name]: value }, body: "{}" }
          : { headers: { [name]: value } };
      };
      await expectLinear(service.port, make, HEADER);
    }
  }
});

test.each(["/docs", "/docs/static/swagger-ui.css", "/nothing"])(
  "headers cost %s no more than their length",
  async (path) => {
    for (const name of ["accept", "accept-encoding", "range", "if-none-match"]) {
      for (const text of Object.values(VALUES)) {
        const make = (length: number): Attack => ({
          path,
          headers: { [name]: `"${filled(text, length)}` },
        });
        await expectLinear(service.port, make, HEADER);
      }
    }
  },
);

test.each([
  ["a scheme and spaces", (length: number) => `Bearer${" ".repeat(length)}`],
  ["a token and spaces", (length: number) => `Bearer a${" ".repeat(length)}b`],
  ["a token and equals signs", (length: number) => `Bearer ${"=".repeat(length)}`],
  ["equals signs inside", (length: number) => `Bearer ${filled("a=", length)}`],
  ["a long token", (length: number) => `Bearer ${"a".repeat(length)} b`],
  ["points", (length: number) => `Bearer ${".".repeat(Math.min(length, 8000))}`],
  ["a long part", (length: number) => `Bearer ${"e".repeat(length / 2)}.a.a`],
])("Authorization is read in linear time: %s", async (_what, make) => {
  const attack = (length: number): Attack => ({
    path: "/api/v1/drafts",
    headers: { authorization: make(length) },
  });
  await expectLinear(secured.port, attack, HEADER);
});

test("many headers are read in linear time, repeated ones too", async () => {
  const path = "/api/v1/drafts";
  const many = (length: number): Attack => {
    const names = Array.from({ length: length / 12 }, (_, index) => [`x${index}`, "a"]);
    return { path, headers: Object.fromEntries(names) as Record<string, string> };
  };
  await expectLinear(secured.port, many, HEADER);
  for (const name of ["authorization", "accept", "x-many", "cookie", "x-request-id"]) {
    const same = (length: number): Attack => ({
      path,
      headers: { [name]: Array.from({ length: length / (name.length + 5) }, () => "a") },
    });
    await expectLinear(secured.port, same, HEADER);
  }
});

const QUERIES: Readonly<Record<string, (length: number) => string>> = {
  "many filters of one name": (length) => filled("name=a&", length),
  "many numbers": (length) => filled("size=1&", length),
  "a long number": (length) => `size=${filled("1", length)}`,
  "a long fraction": (length) => `weight=0.${filled("1", length)}x`,
  "a long exponent": (length) => `weight=1e${filled("1", length)}`,
  "a long decimal": (length) => `price=${filled("0", length)}.1`,
  "many decimals": (length) => filled("price=1.5&", length),
  "many times": (length) => filled("startDate=2024-02-29T00:00:00.000Z&", length),
  "many unknown names": (length) =>
    Array.from({ length: length / 8 }, (_, index) => `nam${index}=`).join("&"),
  "unknown names that are near": (length) =>
    Array.from({ length: length / 24 }, (_, index) => `deliveryAddres.stat${index}=`).join("&"),
  "a long unknown name": (length) => filled("deliveryAddress.", length),
  "a sort of many keys": (length) => `sort=${filled("name,", length)}`,
  "a sort of commas": (length) => `sort=${filled(",", length)}`,
  "a sort by a long name": (length) => `sort=${filled("name", length)}`,
  ampersands: (length) => filled("&", length),
  "equals signs": (length) => filled("=", length),
  "names without values": (length) => filled("a&", length),
  "percent signs": (length) => `name=${filled("%", length)}`,
  "encoded characters": (length) => `name=${filled("%C3%A9", length)}`,
  "plus signs": (length) => `name=${filled("+", length)}`,
  "question marks": (length) => filled("?", length),
};

test.each(Object.keys(QUERIES))("a query is read in linear time: %s", async (what) => {
  const make = (length: number): Attack => ({
    path: `${WIDGETS}?${QUERIES[what]?.(length) ?? ""}`,
  });
  await expectLinear(service.port, make, TARGET - WIDGETS.length);
});

test.each(["%41", "%", "/", "a", ".", "../", "%2f", ";", "%C3%A9", "//a"])(
  "a path is read in linear time: %s",
  async (text) => {
    for (const start of [`${WIDGETS}/`, "/api/", "/docs/", "/", "http://"]) {
      const make = (length: number): Attack => ({ path: start + filled(text, length) });
      await expectLinear(service.port, make, TARGET - 100);
    }
  },
);

const deep = (text: string, length: number): string => `{"note":"${filled(text, length)}"}`;
const BODIES: Readonly<Record<string, (length: number) => string>> = {
  "a long text": (length) => deep("a", length),
  "a text of backslashes": (length) => deep("\\\\", length),
  "a text of quotes": (length) => deep('\\"', length),
  "a text of white space": (length) => deep(" ", length),
  "a text of surrogates": (length) => deep("\u{1f600}", length / 4),
  "half of a pair": (length) => `{"note":"\\ud800${filled("a", length)}"}`,
  "a long address": (length) => `{"email":"${filled("a.", length)}@example.com"}`,
  "an address of at signs": (length) => `{"email":"${filled("@", length)}"}`,
  "a long text for a pattern": (length) => `{"pinCode":"${filled("1", length)}"}`,
  "a long number": (length) => `{"size":${filled("1", length)}}`,
  "a long exponent": (length) => `{"size":1e${filled("1", length)}}`,
  "many exponents": (length) => `{"tags":[${filled("1e1,", length)}1]}`,
  "a long decimal": (length) => `{"price":"${filled("1", length)}.1"}`,
  "many names": (length) =>
    `{${Array.from({ length: length / 12 }, (_, index) => `"nam${index}":1`).join()}}`,
  "unknown names that are near": (length) =>
    `{${Array.from({ length: length / 24 }, (_, index) => `"deliveryAddres${index}":1`).join()}}`,
  "a name twice": (length) => `{${filled('"a":1,', length)}"a":1}`,
  "many items": (length) => `{"tags":[${filled('"a",', length)}"a"]}`,
  "empty objects": (length) => `{"parts":[${filled("{},", length)}{}]}`,
  brackets: (length) => filled("[", length),
  "white space": (length) => `${filled(" \n", length)}{}`,
  "white space at the end": (length) => `{}${filled(" \n", length)}`,
  quotes: (length) => `{"a":${filled('"', length)}`,
  "no UTF-8": (length) => `{"a":"${filled("é", length / 2)}`,
};

test.each(Object.keys(BODIES))("a body is read in linear time: %s", async (what) => {
  const make = (length: number): Attack => ({
    method: "POST",
    headers: JSON_BODY,
    body: BODIES[what]?.(length) ?? "",
  });
  await expectLinear(service.port, make, BODY);
});
