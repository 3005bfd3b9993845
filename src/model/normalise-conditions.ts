import { durationMilliseconds } from "../naming/duration.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import {
  isAlternatives,
  type ComparisonYaml,
  type ConditionValueYaml,
  type ConditionYaml,
  type ServiceYaml,
  type WhereYaml,
} from "../validate/resource-document.js";
import { pathConditions, type ConditionModel, type PathCondition } from "./alias-model.js";
import { CREATOR } from "./common-leaves.js";
import type { Instead } from "./conversion-model.js";
import { innerType, listAround } from "./leaves.js";
import { insteadAt, meantBy, storedPathOf } from "./projection.js";
import type { ResourceModel } from "./resource-model.js";

type Comparison = Extract<PathCondition, { kind: "comparison" }>["comparison"];

type Scalar = string | number | boolean;

const SIZES = ["atLeast", "atMost", "moreThan", "lessThan"] as const;
const WINDOWS = ["within", "withinNext"] as const;

type Shown = Pick<ResourceModel, "properties" | "projection">;

/**
 * The conditions of a `where`, one for each comparison; paths are those of what is stored, values the properties' own. Those
 * of items stand together: an item that passes them need not pass the filters of a request (QRY-10).
 */
export function normaliseConditions(
  where: WhereYaml,
  shown: Shown,
  service: Pick<ServiceYaml, "timeZone">,
): ConditionModel[] {
  const ofItems: PathCondition[] = [];
  const others = Object.entries(where).flatMap(([path, condition]): ConditionModel[] => {
    if (!isAlternatives(condition)) {
      const conditions = conditionsAt(path, condition, shown, service);
      if (listAround(path, shown.properties) === null) return conditions;
      ofItems.push(...conditions);
      return [];
    }
    const alternatives = condition.map((alternative) =>
      // No alternative has alternatives of its own (SCH-214).
      pathConditions(normaliseConditions(alternative, shown, service)),
    );
    return [{ kind: "any", alternatives }];
  });
  return ofItems.length === 0 ? others : [...others, { kind: "any", alternatives: [ofItems] }];
}

function conditionsAt(
  path: string,
  condition: ConditionYaml,
  { properties, projection }: Shown,
  { timeZone = "UTC" }: Pick<ServiceYaml, "timeZone">,
): PathCondition[] {
  if (path === "createdSubject") return [{ kind: "mine", path: CREATOR }];
  const type = propertyAt(path.split("."), properties)?.type;
  return normaliseCondition(condition, {
    path: storedPathOf(path, projection),
    type: type?.kind === "array" ? type.items : type,
    contains: type?.kind === "array",
    instead: insteadAt(path, projection),
    timeZone,
  });
}

/** What a condition is about; a date that every entity has is not in the schema. */
interface Subject {
  readonly path: string;
  /** Of an array, that of its items. */
  readonly type: PropertyType | undefined;
  readonly contains: boolean;
  /** VER-2: what is shown instead of stored values. */
  readonly instead: readonly Instead[];
  readonly timeZone: string;
}

function propertyAt(
  [name, ...rest]: readonly string[],
  properties: readonly PropertyModel[],
): PropertyModel | undefined {
  const property = properties.find((candidate) => candidate.name === name);
  if (rest.length === 0) return property;
  const type = property && innerType(property.type);
  if (type?.kind === "object") return propertyAt(rest, type.properties);
  return type?.kind === "reference" ? propertyAt(rest, type.embedded) : undefined;
}

function normaliseCondition(condition: ConditionYaml, subject: Subject): PathCondition[] {
  if (!isComparison(condition)) return [comparison("anyOf", condition, subject)];
  const { path } = subject;
  return [
    ...(condition.not === undefined ? [] : [comparison("noneOf", condition.not, subject)]),
    ...SIZES.flatMap((size) => {
      const bound = condition[size];
      return bound === undefined ? [] : [comparison(size, bound, subject)];
    }),
    ...WINDOWS.flatMap((window): PathCondition[] => {
      const milliseconds = durationMilliseconds(condition[window]);
      if (milliseconds === null) return [];
      if (!isDate(subject.type)) return [{ kind: "window", path, window, milliseconds }];
      // SCH-436: it is a number of days.
      const days = Number.parseInt(condition[window] ?? "", 10);
      const [from, to] = window === "within" ? [-days, 0] : [0, days];
      return [comparison("atLeast", [], subject, [from]), comparison("atMost", [], subject, [to])];
    }),
  ];
}

function isDate(type: PropertyType | undefined): boolean {
  return type?.kind === "string" && type.format === "date";
}

function isComparison(condition: ConditionYaml): condition is ComparisonYaml {
  return typeof condition === "object" && condition !== null && !Array.isArray(condition);
}

function comparison(
  name: Comparison,
  given: ConditionValueYaml | readonly ConditionValueYaml[],
  { path, type, contains, instead, timeZone }: Subject,
  counted: readonly number[] = [],
): PathCondition {
  const all = Array.isArray(given) ? given : [given];
  // Of all that have sizes, only dates and timestamps are compared with texts.
  const isSize = SIZES.some((size) => size === name);
  const isToday = (value: unknown): boolean => value === "today" && (isSize || isDate(type));
  const values = all.filter((value) => value !== null && !isToday(value));
  const days = [...counted, ...all.filter(isToday).map(() => 0)];
  return {
    kind: "comparison",
    path,
    comparison: name,
    values: values.flatMap((value: Scalar): readonly Scalar[] => {
      const kept = canonical(value, type);
      return typeof kept === "string" ? meantBy(kept, instead) : [kept];
    }),
    orNull: all.includes(null),
    contains,
    relative: days.length === 0 ? null : { days, timeZone, isDate: isDate(type) },
  };
}

/** A value is compared in the form in which it is kept. */
function canonical(value: Scalar, type: PropertyType | undefined): Scalar {
  // A scalar of one kind stays one.
  return type === undefined ? value : (kindOf(type).normaliseValue(value, type) as typeof value);
}
