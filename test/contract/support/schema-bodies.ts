import fc from "fast-check";
import type { Json, JsonObject } from "./client.js";
import { object } from "./openapi-parts.js";

/** What fits each form, as far as the form's own definition leaves no room for opinions. */
const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase())),
  "date-time": fc
    .date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T00:00:00Z"),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  email: fc.nat().map((number) => `a.b+${number}@sub.example.org`),
  uri: fc.constantFrom("https://example.com/a?b=c", "urn:isbn:1"),
  hostname: fc.constantFrom("example.com", "a-1"),
  ipv4: fc.constantFrom("192.0.2.1", "0.0.0.0"),
  ipv6: fc.constantFrom("2001:db8::1", "::"),
  date: fc.constantFrom("2024-02-29", "1999-12-31"),
};

/** Values that are wrong nearly everywhere, or right in a way that is easy to get wrong. */
const ODD: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 0.1, 2 ** 53, 1e21, [], {}, [null], [[]], "0"),
  fc.constantFrom("", " ", "\u0000", "\ud800", "x".repeat(70), "😀".repeat(40), "1", "-0.00"),
  fc.constantFrom("12.505", "0012.50", "1e3", "12345678901234567.5", "123456789012345678901", "+1"),
  fc.constantFrom("2023-02-29T00:00:00.000Z", "2024-02-29T23:59:60.000Z", "2024-02-29"),
  fc.constantFrom("0000-01-01T00:00:00.000Z", "2024-02-29T24:00:00.000Z"),
  fc.constantFrom(
    "urn:uuid:0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f",
    "0190a5d27c4e7b1a9f3e2d4c6b8a0e1f",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);

/** Bodies that fit a schema. */
export function fitting(schema: JsonObject): fc.Arbitrary<JsonObject> {
  return valueOf(schema).map(object);
}

/** Bodies that fit a schema, and bodies that differ from such a one in a few places. */
export function bodies(schema: JsonObject): fc.Arbitrary<JsonObject> {
  const broken = fc
    .tuple(
      fitting(schema),
      fc.array(fc.tuple(fc.nat(), ODD, fc.nat(3)), { minLength: 1, maxLength: 3 }),
    )
    .map(([body, edits]) => {
      return edits.reduce((at, [place, odd, way]) => mutated(at, place, odd, way), body);
    });
  return fc.oneof(fitting(schema), broken);
}

function valueOf(schema: JsonObject): fc.Arbitrary<Json> {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return fc.constantFrom(...(values as readonly Json[]));
  const types = (Array.isArray(type) ? type : [type]) as readonly string[];
  return fc.oneof(...types.map((name) => valueOfType(name, schema)));
}

function valueOfType(type: string | undefined, schema: JsonObject): fc.Arbitrary<Json> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return numbers(schema, 1);
    case "number":
      return numbers(schema, 0.5);
    case "string":
      return texts(schema);
    case "array":
      return arrays(schema);
    case "object":
      return objects(schema);
    default:
      // What the service writes itself: anything, and ignored.
      return fc.constantFrom<Json>("ignored", 1, null, { a: [1] });
  }
}

/** Of larger numbers a division does not say whether they are multiples. */
const MOST_STEPS = 1e6;

function numbers(schema: JsonObject, usual: number): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = usual } = schema;
  const step = Number(multipleOf);
  const low = Number(
    minimum ?? (exclusiveMinimum === undefined ? -1e6 : Number(exclusiveMinimum) + step),
  );
  const high = Number(
    maximum ?? (exclusiveMaximum === undefined ? 1e6 : Number(exclusiveMaximum) - step),
  );
  return (
    fc
      .integer({
        min: Math.max(Math.ceil(low / step), -MOST_STEPS),
        max: Math.min(Math.floor(high / step), MOST_STEPS),
      })
      // 3 * 0.07 is 0.21, and a little more.
      .map((n) => Number((n * step).toPrecision(15)))
  );
}

function texts({
  pattern,
  format,
  minLength = 0,
  maxLength = 200,
}: JsonObject): fc.Arbitrary<string> {
  const formed = FORMATS[String(format)];
  if (formed !== undefined) return formed;
  const bounded = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 200) };
  if (typeof pattern === "string" && pattern !== "\\S") {
    return fc.stringMatching(new RegExp(pattern, "u"));
  }
  return fc.string({
    unit: fc.constantFrom("a", "Z", "0", " ", "é", "😀", "\n", '"', "\\"),
    ...bounded,
  });
}

function arrays({
  items,
  minItems = 0,
  maxItems = 100,
  uniqueItems,
}: JsonObject): fc.Arbitrary<Json> {
  const most = Math.min(Number(maxItems), Number(minItems) + 3);
  const length = { minLength: Number(minItems), maxLength: most };
  const item = valueOf(object(items));
  if (uniqueItems !== true) return fc.array(item, length);
  return fc.uniqueArray(item, { ...length, selector: (value) => JSON.stringify(value) });
}

function objects({ properties, required = [] }: JsonObject): fc.Arbitrary<Json> {
  const members = Object.entries(object(properties)).map(([name, schema]) => {
    return [name, valueOf(object(schema))] as const;
  });
  const requiredKeys = required as readonly string[];
  return fc
    .record(Object.fromEntries(members) as Record<string, fc.Arbitrary<Json>>, {
      requiredKeys: [...requiredKeys],
    })
    .map((value) => ({ ...value }));
}

/** A copy that is changed in one place: replaced, left out, given another name, or repeated. */
function mutated(body: JsonObject, place: number, odd: Json, way: number): JsonObject {
  const copy = structuredClone(body) as Record<string, Json>;
  const holders = holdersOf(copy);
  const holder = holders[place % holders.length];
  if (Array.isArray(holder)) mutateList(holder as Json[], place, odd, way);
  else if (holder !== undefined) mutateObject(holder as Record<string, Json>, place, odd, way);
  return copy;
}

function mutateObject(holder: Record<string, Json>, place: number, odd: Json, way: number): void {
  const names = Object.keys(holder);
  const name = names[place % Math.max(1, names.length)];
  if (name === undefined || way === 3) holder["colour"] = odd;
  else if (way === 2) Reflect.deleteProperty(holder, name);
  else holder[name] = odd;
}

function mutateList(holder: Json[], place: number, odd: Json, way: number): void {
  const index = place % Math.max(1, holder.length);
  const item = holder[index];
  if (item === undefined || way === 3) holder.push(odd);
  else if (way === 2) holder.push(item);
  else holder[index] = odd;
}

/** Every object and list in a value, itself first. */
function holdersOf(value: Json): readonly Json[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(holdersOf)];
}
