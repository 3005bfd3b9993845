import { ts } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { scalarCode } from "../kinds/expression.js";
import type { ConditionModel, RelativeDays } from "../model/alias-model.js";
import { arrayCode, objectCode } from "./layout.js";
import { type Surroundings } from "../naming/doc.js";

/** The conditions of an alias or a representation, as runtime/query/conditions.ts takes them. */
export function conditionsCode(
  conditions: readonly ConditionModel[],
  around: Surroundings,
): TsCode {
  const indent = (around.indent ?? 0) + 2;
  const codes = conditions.map((condition) =>
    objectCode(conditionEntries(condition, indent), { indent, after: "," }),
  );
  return arrayCode(codes, { ...around, expanded: conditions.length > 1 });
}

function conditionEntries(condition: ConditionModel, indent: number): TsCode[] {
  if (condition.kind === "any") {
    const alternatives = condition.alternatives.map((alternative) =>
      conditionsCode(alternative, { indent: indent + 4, after: "," }),
    );
    return [
      ts`any: ${arrayCode(alternatives, { indent: indent + 2, before: "any: ", after: ",", expanded: true })}`,
    ];
  }
  const path = ts`path: ${literal(condition.path)}`;
  switch (condition.kind) {
    case "mine":
      return [path, ts`isMine: true`];
    case "window": {
      const { window, milliseconds } = condition;
      return [path, ts`window: ${literal(window)}`, ts`milliseconds: ${milliseconds}`];
    }
    case "comparison": {
      const { comparison, values, orNull, contains, relative } = condition;
      const list = arrayCode(values.map(scalarCode), {
        indent: indent + 2,
        before: "values: ",
        after: ",",
      });
      const name = ts`comparison: ${literal(comparison)}`;
      return [
        path,
        name,
        ts`values: ${list}`,
        ts`orNull: ${orNull}`,
        ts`contains: ${contains}`,
        ...relativeEntries(relative),
      ];
    }
  }
}

function relativeEntries(relative: RelativeDays | null): TsCode[] {
  if (relative === null) return [];
  const { days, timeZone, isDate } = relative;
  const list = arrayCode(days.map(scalarCode));
  return [ts`days: ${list}`, ts`timeZone: ${literal(timeZone)}`, ts`isDate: ${isDate}`];
}
