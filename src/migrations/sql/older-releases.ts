import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import { conversionOf } from "../conversions.js";
import { schemaPath } from "../paths.js";
import { violations } from "./conditions.js";
import { newRules } from "./reads.js";
import { columnAt, heldAt } from "./stored-values.js";

/**
 * Where older releases would misread what is stored after a step, or go on writing what it no longer can be, though the
 * storage stays as they know it; null: nowhere.
 */
export function misreadPlace(step: MigrationStep, model: StorageModel): string | null {
  if (!("path" in step) || !isMisread(step, model)) return null;
  return `${step.table}.${schemaPath(step.path)}`;
}

type PathStep = Extract<MigrationStep, { readonly path: string }>;

function isMisread(step: PathStep, model: StorageModel): boolean {
  switch (step.step) {
    case "retireColumn":
      return columnAt(model, step)?.nullable === false;
    case "setNullable":
      return step.nullable;
    case "convertColumn":
      return conversionOf({ ...step, place: "column", dialect: "postgres" })?.isSame === true;
    case "changeValues": {
      const held = heldAt(model, step);
      if (held?.bounds === undefined) return step.isShownInstead === true;
      const isGone = (held.encoding.values ?? []).some((one) => !step.values?.includes(one));
      const after = { ...held, bounds: step.bounds };
      return (
        step.isShownInstead === true ||
        isGone ||
        violations(held.bounds, after, "postgres").length > 0 ||
        newRules(held.bounds, step.bounds).length > 0
      );
    }
    default:
      return false;
  }
}
