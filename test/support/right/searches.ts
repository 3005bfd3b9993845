import fc from "fast-check";
import { optional, type Yaml } from "./yaml.js";

/** What a list can be searched for, beside what stands at its properties. */
export interface Searched {
  readonly properties: Yaml;
  readonly isSecured: boolean;
  /** Whether the resource offers a list, without which no alias is possible. */
  readonly lists: boolean;
  /** Whether it has states. */
  readonly hasStates: boolean;
}

type Properties = readonly (readonly [string, Yaml])[];

/** A condition on a property, by what it holds. */
function conditionsOf([name, { type, enum: values, format }]: Properties[number]): readonly Yaml[] {
  const every: readonly Yaml[] = [{ [name]: null }, { [name]: { not: null } }];
  if (type === "timestamp") {
    const windows = [
      { within: "24h" },
      { withinNext: "7d" },
      { moreThan: "2026-01-01T00:00:00.000Z" },
      { lessThan: "today" },
    ];
    return [...every, ...windows.map((window) => ({ [name]: window }))];
  }
  if (type === "boolean") return [...every, { [name]: true }];
  if (Array.isArray(values))
    return [...every, { [name]: values.slice(0, 2) }, { [name]: { not: values[0] } }];
  if (format === "date") {
    const days = ["today", { within: "30d" }, { lessThan: "2026-02-01" }];
    return [...every, ...days.map((day) => ({ [name]: day }))];
  }
  return every;
}

const SINGLE = ["integer", "number", "decimal", "timestamp", "uuid", "boolean"];

/** Aliases, common fields, indexes, and what is unique together, as far as the properties allow them. */
export function searches({
  properties,
  isSecured,
  lists,
  hasStates,
}: Searched): fc.Arbitrary<Yaml> {
  const own = Object.entries(properties) as unknown as Properties;
  const single = own.filter(
    ([, { type, enum: values }]) => SINGLE.includes(String(type)) || values !== undefined,
  );
  const manifold = single.filter(
    ([, { type, unique }]) => (type === "timestamp" || type === "uuid") && unique !== true,
  );
  const [first, second] = single.map(([name]) => name);
  const partner = single.find(([name, { unique }]) => unique !== true && name !== manifold[0]?.[0]);
  const [most] = manifold;
  // A few entities take all of their values.
  const few = single
    .filter(
      ([, { type, enum: values, unique }]) =>
        unique !== true && (type === "boolean" || values !== undefined),
    )
    .map(([name]) => name);
  const together = [
    ...(most === undefined || partner === undefined ? [] : [[partner[0], most[0]]]),
    ...(few.length < 2 ? [] : [few.slice(0, 2)]),
  ];
  const texts = own.filter(([, { type }]) => type === "string").map(([name]) => name);
  return optional({
    commonFilters: fc.subarray(
      ["createdDate", "createdSubject", "lastModifiedDate", "lastModifiedSubject"],
      { minLength: 1 },
    ),
    ...(first !== undefined && {
      indexes: fc.constantFrom(
        [[first, "-createdDate"]],
        ...(second === undefined
          ? []
          : [[[first, `-${second}`]], [[second], [`-${first}`, "lastModifiedDate"]]]),
      ),
    }),
    ...(together.length > 0 && { unique: fc.constantFrom(...together.map((names) => [names])) }),
    ...(lists && texts.length > 0 && { search: fc.subarray(texts.slice(0, 10), { minLength: 1 }) }),
    ...(lists && { aliases: aliases(single, isSecured, hasStates) }),
  });
}

function aliases(single: Properties, isSecured: boolean, hasStates: boolean): fc.Arbitrary<Yaml> {
  // `any` is a word of conditions.
  const every = single.filter(([name]) => name !== "any").flatMap(conditionsOf);
  const conditions = every.length === 0 ? [{ createdDate: { within: "1h" } }] : every;
  const where = fc.constantFrom<Yaml>(...conditions);
  const some = fc.uniqueArray(where, {
    minLength: 1,
    maxLength: 2,
    selector: (one) => Object.keys(one)[0],
  });
  const sorts = single.filter(([, { sortable }]) => sortable === true).map(([name]) => `-${name}`);
  return fc
    .subarray(
      [
        ["latest", fc.constant<Yaml>({ sort: ["-createdDate"], description: "The newest first." })],
        ["sorted", fc.constant<Yaml>({ sort: [...sorts.slice(0, 2), "lastModifiedDate"] })],
        ["found", where.map((one): Yaml => ({ where: one, sort: ["createdDate"] }))],
        ["either", some.map((any): Yaml => ({ where: { any } }))],
        ...(hasStates
          ? [
              [
                "open",
                fc.constant<Yaml>({ where: { status: ["draft", "placed"] }, sort: ["-status"] }),
              ] as const,
            ]
          : []),
        ...(isSecured
          ? [["own", fc.constant<Yaml>({ where: { createdSubject: "mine" } })] as const]
          : []),
      ] as const,
      { minLength: 1 },
    )
    .chain((chosen) => fc.record(Object.fromEntries(chosen) as Record<string, fc.Arbitrary<Yaml>>));
}
