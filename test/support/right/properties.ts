import fc from "fast-check";
import { merged, optional, rarely, type Yaml } from "./yaml.js";

/** What a property holds, and a value of it. */
interface Held {
  readonly yaml: Yaml;
  readonly value: unknown;
  /** Whether every entity can have another value. */
  readonly isManifold?: boolean;
  /** Whether lists can be filtered by ranges of it. */
  readonly isOrdered?: boolean;
}

const text = (yaml: Yaml, value: string, isManifold = false, isOrdered = false): Held => ({
  yaml: { type: "string", ...yaml },
  value,
  isManifold,
  isOrdered,
});

const TEXTS: readonly Held[] = [
  text({ maxLength: 200 }, "Oslo", true),
  text({}, "Oslo"),
  text({ minLength: 2, maxLength: 20 }, "Oslo", true),
  text({ pattern: "^[A-Z]{2}[0-9]{6}$", maxLength: 8 }, "AB123456", true),
  text({ format: "email", maxLength: 100 }, "ada@example.com", true),
  text({ format: "uri" }, "https://example.com/a"),
  text({ format: "hostname" }, "example.com"),
  text({ format: "ipv4" }, "192.0.2.1"),
  text({ format: "ipv6" }, "2001:db8::1"),
  text({ format: "date" }, "2026-01-31", true, true),
  text({ format: "currencyCode" }, "EUR"),
  text({ format: "countryCode" }, "NO"),
  text({ format: "languageTag" }, "pt-BR"),
  text({ format: "time" }, "07:30"),
  text({ format: "duration" }, "PT1H30M"),
];

const number = (yaml: Yaml, value: unknown, isManifold = false): Held => ({
  yaml,
  value,
  isManifold,
  isOrdered: true,
});

/** Steps whose multiples floats cannot add up to, and steps that a bound is not a multiple of. */
const NUMBERS: readonly Held[] = [
  number({ type: "number", multipleOf: 0.01 }, 0.07),
  number({ type: "number", multipleOf: 0.1, minimum: 0.3 }, 0.7),
  number({ type: "number", multipleOf: 0.07, exclusiveMinimum: 0 }, 0.21),
  number({ type: "number", multipleOf: 1e-7, maximum: 5 }, 1e-7),
  number({ type: "number", minimum: 0.5, exclusiveMaximum: 12, multipleOf: 1 }, 2),
  number({ type: "number", minimum: -1e300, maximum: 1e300 }, 1.5),
  number({ type: "number" }, -0.5),
  number({ type: "integer", minimum: -5, maximum: 1000, multipleOf: 3 }, 9),
  number({ type: "integer" }, 7, true),
  number(
    { type: "decimal", scale: 2, minimum: "0.01", maximum: "999.99", multipleOf: "0.5" },
    "2.50",
  ),
  number({ type: "decimal", scale: 3 }, "1.125", true),
];

const OTHERS: readonly Held[] = [
  { yaml: { enum: ["red", "blue", "green"] }, value: "blue" },
  { yaml: { type: "boolean" }, value: true },
  {
    yaml: { type: "timestamp" },
    value: "2026-01-31T12:00:00.000Z",
    isManifold: true,
    isOrdered: true,
  },
  { yaml: { type: "uuid" }, value: "0190a0a0-0000-7000-8000-000000000001", isManifold: true },
];

const held = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...OTHERS),
);

const TOLD = rarely(
  optional({
    description: fc.constantFrom("What it is.", "Ei `${x}` */ \"a\" 'b' \\"),
    deprecated: fc.boolean(),
  }),
);

/** A keyword as often as not, where it can be. */
const perhaps = (can: boolean, yaml: Yaml): fc.Arbitrary<Yaml> =>
  can ? fc.constantFrom<Yaml>({}, {}, yaml) : fc.constant({});

/** What an own property can say beside what it holds. */
const flags = ({ value, yaml, isManifold = false, isOrdered = false }: Held): fc.Arbitrary<Yaml> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<Yaml>({ readOnly: true }) },
    { weight: 1, arbitrary: fc.constant<Yaml>({ sensitive: true }) },
    { weight: 1, arbitrary: perhaps(isManifold, { unique: true }) },
    {
      weight: 8,
      arbitrary: merged(
        optional({ required: fc.boolean(), sortable: fc.boolean(), immutable: fc.boolean() }),
        optional({
          filterable: fc.constantFrom(
            ...[true, false],
            ...(isOrdered ? ["range"] : []),
            ...(yaml["type"] === "string" ? ["search"] : []),
          ),
        }),
        perhaps(true, { default: value }),
        perhaps(true, { example: value }),
      ),
    },
  );

/** A property that holds one value. */
export const scalar: fc.Arbitrary<Yaml> = held.chain((one) =>
  merged(fc.constant(one.yaml), flags(one), TOLD),
);

/** One that stands in something else, and says less. */
const inner = merged(
  held.map(({ yaml }) => yaml),
  optional({ required: fc.boolean() }),
  TOLD,
);
const item = held.map(({ yaml }) => yaml);

/** One that lists are filtered by, wherever it stands. */
const compared = merged(inner, optional({ filterable: fc.boolean() }));

/** Own code alone writes it: nobody has. */
const written = inner.map(({ required: _required, ...rest }): Yaml => ({
  ...rest,
  readOnly: true,
}));

const COUNTS = optional({ maxItems: fc.constantFrom(5, 20), minItems: fc.constantFrom(0, 1) });

/** Set once, at any depth. */
const setOnce = rarely(optional({ immutable: fc.boolean() }));

/** Now and then it is read only: nothing of it stands in a body, and nobody has written it yet. */
const writtenAtTimes = (made: fc.Arbitrary<Yaml>): fc.Arbitrary<Yaml> =>
  fc.oneof(
    { weight: 6, arbitrary: made },
    {
      weight: 1,
      arbitrary: made.map(({ immutable: _immutable, minItems: _least, ...rest }) => ({
        ...rest,
        readOnly: true,
      })),
    },
  );

/** A list; a list of few different values cannot have many of them. */
export const list: fc.Arbitrary<Yaml> = writtenAtTimes(
  fc
    .tuple(item, COUNTS, optional({ uniqueItems: fc.boolean(), filterable: fc.boolean() }), setOnce)
    .map(([items, counts, more, once]): Yaml => ({
      type: "array",
      items,
      maxItems: 5,
      ...counts,
      ...more,
      ...once,
    })),
);

/** The short form of a type. */
const brief = fc.constantFrom(
  "string",
  "integer",
  "number",
  "boolean",
  "decimal",
  "timestamp",
  "uuid",
);

const innerList = item.map((items): Yaml => ({ type: "array", items, maxItems: 5 }));

/** A list of objects. */
export const listOfObjects: fc.Arbitrary<Yaml> = writtenAtTimes(
  fc.tuple(compared, fc.oneof(inner, written), innerList).map(([first, second, others]) => {
    const properties = { label: { type: "string", required: true }, first, second, others };
    return { type: "array", maxItems: 10, items: { type: "object", properties } };
  }),
);

/** An object, with another in it. */
export const object: fc.Arbitrary<Yaml> = writtenAtTimes(
  fc
    .tuple(
      merged(compared, optional({ sortable: fc.boolean() }), setOnce),
      innerList,
      merged(inner, setOnce),
      brief,
      fc.tuple(setOnce, setOnce),
    )
    .map(([first, others, deep, last, [once, partOnce]]) => ({
      type: "object",
      properties: {
        first,
        others,
        part: { type: "object", properties: { deep, last }, ...partOnce },
      },
      ...once,
    })),
);
