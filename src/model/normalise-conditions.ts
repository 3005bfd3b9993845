import { durationMilliseconds } from "../naming/duration.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import {
  isAlternatives,
  type ComparisonYaml,
  type ConditionValueYaml,
  type ConditionYaml,
  type WhereYaml,
} from "../validate/resource-document.js";
import { pathConditions, type ConditionModel, type PathCondition } from "./alias-model.js";
import { CREATOR } from "./common-leaves.js";
import type { Instead } from "./conversion-model.js";
import { insteadAt, meantBy, storedPathOf, type Projection } from "./projection.js";

type Comparison = Extract<PathCondition, { kind: "comparison" }>["comparison"];

type Scalar = string | number | boolean;

const SIZES = ["atLeast", "atMost", "moreThan", "lessThan"] as const;
const WINDOWS = ["within", "withinNext"] as const;

/** The conditions of a `where`, one for each comparison; paths are those of what is stored, values the properties' own. */
export function normaliseConditions(
  where: WhereYaml,
  properties: readonly PropertyModel[],
  projection: Projection,
): ConditionModel[] {
  return Object.entries(where).flatMap(([path, condition]): ConditionModel[] => {
    if (!isAlternatives(condition)) return conditionsAt(path, condition, properties, projection);
    const alternatives = condition.map((alternative) =>
      // No alternative has alternatives of its own (SCH-214).
      pathConditions(normaliseConditions(alternative, properties, projection)),
    );
    return [{ kind: "any", alternatives }];
  });
}

function conditionsAt(
  path: string,
  condition: ConditionYaml,
  properties: readonly PropertyModel[],
  projection: Projection,
): PathCondition[] {
  if (path === "createdSubject") return [{ kind: "mine", path: CREATOR }];
  const property = propertyAt(path.split("."), properties);
  return normaliseCondition(condition, {
    path: storedPathOf(path, projection),
    property,
    instead: insteadAt(path, projection),
  });
}

/** What a condition is about; a date that every entity has is not in the schema. */
interface Subject {
  readonly path: string;
  readonly property: PropertyModel | undefined;
  /** VER-2: what is shown instead of stored values. */
  readonly instead: readonly Instead[];
}

function propertyAt(
  [name, ...rest]: readonly string[],
  properties: readonly PropertyModel[],
): PropertyModel | undefined {
  const property = properties.find((candidate) => candidate.name === name);
  if (rest.length === 0) return property;
  const type = property?.type;
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
      return milliseconds === null ? [] : [{ kind: "window", path, window, milliseconds }];
    }),
  ];
}

function isComparison(condition: ConditionYaml): condition is ComparisonYaml {
  return typeof condition === "object" && condition !== null && !Array.isArray(condition);
}

function comparison(
  name: Comparison,
  given: ConditionValueYaml | readonly ConditionValueYaml[],
  { path, property, instead }: Subject,
): PathCondition {
  const all = Array.isArray(given) ? given : [given];
  const values = all.filter((value) => value !== null);
  return {
    kind: "comparison",
    path,
    comparison: name,
    values: values.flatMap((value: Scalar): readonly Scalar[] => {
      const kept = canonical(value, property);
      return typeof kept === "string" ? meantBy(kept, instead) : [kept];
    }),
    orNull: values.length < all.length,
    contains: property?.type.kind === "array",
  };
}

/** A value is compared in the form in which it is kept. */
function canonical(value: Scalar, property: PropertyModel | undefined): Scalar {
  const type = property?.type.kind === "array" ? property.type.items : property?.type;
  // A scalar of one kind stays one.
  return type === undefined ? value : (kindOf(type).normaliseValue(value, type) as typeof value);
}
