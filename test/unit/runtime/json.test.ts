import fc from "fast-check";
import { expect, test } from "vitest";

import { parseJsonObject, type JsonObject } from "#runtime/input/json";
import { thrownBy } from "./reading.js";

function parse(body: string | Uint8Array, jsonDepth = 32, jsonValues = 20_000): JsonObject {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return parseJsonObject(bytes, { jsonDepth, jsonValues });
}

function refusal(body: string | Uint8Array, maximumDepth = 32): string | undefined {
  const error = thrownBy(() => parse(body, maximumDepth));
  expect(error?.type).toBe("MalformedRequestMessage");
  return error?.details.description;
}

test("agrees with JSON.parse on every object", () => {
  const anyObject = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 5 }));
  fc.assert(
    fc.property(anyObject, fc.constantFrom(0, 2), (object, indentation) => {
      const text = JSON.stringify(object, null, indentation);
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("agrees with JSON.parse on which texts are objects, but for duplicate names", () => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    '"b\\""',
    '"\\\\"',
    "1",
    "-0",
    "1e5",
    "null",
  ];
  const anyText = fc.array(fc.constantFrom(...pieces, " "), { maxLength: 12 });
  fc.assert(
    fc.property(anyText, (parts) => {
      const text = parts.join("");
      const duplicates = /"a".*"a"|"b\\"".*"b\\""|"\\\\".*"\\\\"/.test(text);
      if (!duplicates) expect(accepts(text)).toBe(isObjectText(text));
    }),
    { numRuns: 2_000 },
  );
});

function accepts(text: string): boolean {
  return thrownBy(() => parse(text)) === null;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

test("refuses a name given twice, wherever it stands", () => {
  const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(fc.string(), anyObject, fc.jsonValue(), (name, others, value) => {
      const members = Object.entries({ ...others, [name]: value });
      const texts = [...members, [name, null]].map(
        ([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`,
      );
      const object = `{${texts.join(",")}}`;
      for (const text of [object, `{"list":[0,${object}]}`, `{"nested":{"deep":${object}}}`]) {
        expect(refusal(text)).toContain("twice");
      }
    }),
  );
});

test.each([
  { body: '{"name":"a","name":"b"}', want: 'The body names a property twice: "name".' },
  { body: '{"name":"a","\\u006eame":"b"}', want: 'The body names a property twice: "name".' },
  { body: '{"a":["x","x",{"b":1, "b" :2}]}', want: 'The body names a property twice: "b".' },
  { body: '{"__proto__":1,"__proto__":2}', want: 'The body names a property twice: "__proto__".' },
  { body: "", want: "The body is empty." },
  { body: "  \n", want: "The body is empty." },
  { body: "null", want: "The body must be a JSON object." },
  { body: '[{"name":"a"}]', want: "The body must be a JSON object." },
  { body: '"text"', want: "The body must be a JSON object." },
])("refuses $body: $want", ({ body, want }) => {
  expect(refusal(body)).toBe(want);
});

test.each([
  '{"name":"a",}',
  '{"name":"a"}x',
  '{/*c*/"name":"a"}',
  '{"size":NaN}',
  '{"size":0x10}',
  '{"size":+1}',
  '{"size":.5}',
  '{"size":5.}',
  '{"name":"a\tb"}',
  '{"name":"a',
  "{",
  "\ufeff{}",
])("refuses %j, and does not repeat it", (body) => {
  expect(refusal(body)).toMatch(/^The body is not valid JSON( from character \d+ on)?\.$/);
});

test.each([
  { what: "a wrong byte", bytes: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d] },
  { what: "an overlong form", bytes: [0xc0, 0xaf] },
  { what: "half a surrogate pair", bytes: [0x22, 0xed, 0xa0, 0x80, 0x22] },
  { what: "an unfinished character", bytes: [0x22, 0xe2, 0x82] },
])("refuses bytes that are not UTF-8: $what", ({ bytes }) => {
  expect(refusal(Uint8Array.from(bytes))).toBe("The body is not valid UTF-8.");
});

test("refuses UTF-16", () => {
  refusal(Buffer.from('{"name":"a"}', "utf16le"));
});

test("accepts an object as deep as allowed, and none that is deeper", () => {
  const nested = (depth: number): string =>
    '{"a":'.repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
  expect(parse(nested(32))).toEqual(JSON.parse(nested(32)));
  expect(refusal(nested(33))).toBe("The body is nested more than 32 levels deep.");
  expect(refusal('{"a":[]}', 1)).toContain("nested");
  expect(refusal("[".repeat(500_000))).toContain("nested");
  expect(parse('{"a":"[[[[","b":[],"c":[],"d":[]}', 2)).toEqual({ a: "[[[[", b: [], c: [], d: [] });
});

test("keeps __proto__ as a property of its own", () => {
  const body = parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}');
  expect(Object.keys(body)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  expect("polluted" in {}).toBe(false);
});

test.each(["0e-400", "0.000e999", "1e400", "-1E+5", "5e-324", "true", "false", "1e-5"])(
  "leaves %s to JSON.parse",
  (value) => {
    expect(parse(`{"size":${value}}`)).toEqual(JSON.parse(`{"size":${value}}`));
  },
);

test.each([
  { what: "many names", body: `{${Array.from({ length: 90_000 }, (_, i) => `"${i}":0`).join()}}` },
  { what: "many zeros", body: `{"tags":[${"0,".repeat(500_000)}0]}` },
  { what: "zeros before a digit", body: `{"a":0.${"0".repeat(500_000)}1}` },
  { what: "many quotes", body: `{"a":"${'\\"'.repeat(500_000)}"}` },
  { what: "many backslashes", body: `{"a":"${"\\\\".repeat(500_000)}"}` },
])("reads $what in time that grows with the length only", ({ body }) => {
  expect(Object.keys(parse(body, 32, 1_000_000)).length).toBeGreaterThan(0);
});

test.each([
  ["properties", '{"a":0,"b":0,"c":0}', 3],
  ["items", '{"a":[0,0,0]}', 4],
  ["what is nested", '{"a":{"b":[{"c":0}]}}', 4],
  ["no text", '{"a":",[{,,"}', 1],
])("counts %s", (_what, body, values) => {
  expect(parse(body, 32, values)).toEqual(JSON.parse(body));
  const error = thrownBy(() => parse(body, 32, values - 1));
  expect(error?.details.description).toBe(`The body has more than ${values - 1} values.`);
});

test.each([
  { what: "many exponents", body: `{"a":${"1e".repeat(500_000)}` },
  { what: "a long mantissa", body: `{"a":${"1.".repeat(500_000)}e1` },
  { what: "an open string", body: `{"a":"${"\\".repeat(1_000_001)}` },
])("refuses $what in time that grows with the length only", ({ body }) => {
  refusal(body);
});

/** Digits with a point or without one, of which many are more than a double keeps. */
const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 22n }),
    fc.option(fc.stringMatching(/^[09]{0,18}[0-9]{1,4}$/), { nil: null }),
    fc.option(fc.integer({ min: -25, max: 25 }), { nil: null }),
  )
  .map(([sign, whole, fraction, exponent]) => {
    const point = fraction === null ? "" : `.${fraction}`;
    return `${sign}${whole}${point}${exponent === null ? "" : `e${exponent}`}`;
  });

/** By whole numbers of any size. */
function isWhole(text: string): boolean {
  const [mantissa = "", exponent = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length;
  return power >= 0 || BigInt(whole + fraction) % 10n ** BigInt(-power) === 0n;
}

test("a number that is not whole is read as one that is not, or as none that can be kept", () => {
  fc.assert(
    fc.property(numberText, (text) => {
      const read = parse(`{"text":"${text}","number":${text}}`)["number"];
      if (isWhole(text)) expect(read).toBe(Number(text));
      else expect(Number.isInteger(read)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});

test.each(["9007199254740991.4", "1.00000000000000000001", "90071992547409914e-1", "1e-400"])(
  "%s is no whole number",
  (text) => {
    expect(parse(`{"a":${text},"b":[-${text}]}`)).toEqual({ a: Infinity, b: [-Infinity] });
  },
);
