import { kindOf } from "../../kinds/kinds.js";
import type { PropertyModel } from "../../kinds/property-model.js";
import { fitsText } from "../../kinds/string/text-values.js";
import type { Json } from "../../samples/json.js";
import { fullBody, isUnique } from "../bodies.js";
import { pathOf } from "../check.js";
import { isGiven } from "../samples.js";
import { isInvalid, type Trial } from "../trial.js";
import type { VersionsOfResource } from "../versions-of.js";

/**
 * VER-2: values at the bounds of what custom code converts are where conversions end. The newer version refuses them, or
 * the older one shows what it has made of them.
 */
export async function everyBound(trial: Trial, pair: VersionsOfResource): Promise<void> {
  const { older, newer } = pair;
  for (const property of newer.properties.filter((one) => isConverted(one, pair))) {
    if (isUnique(newer, property) || isGiven(trial, newer, property.path)) continue;
    for (const value of extremes(property)) {
      const body = { ...fullBody(newer, trial.session.nextSeed()), [property.name]: value };
      const made = await trial.post(newer, { body });
      if (isInvalid(made.answer)) continue;
      const entity = trial.object(made, 201);
      if (entity === undefined) return;
      const read = await trial.get(pathOf(older, entity));
      trial.status(read, 200, `, since ${newer.version} has stored ${property.name}`);
    }
  }
}

/** What is neither the same in both versions nor in the newer one alone. */
function isConverted(
  { name, readOnly, type }: PropertyModel,
  { shown, unseen }: VersionsOfResource,
): boolean {
  const isKnown = shown.some((fact) => fact.newer === name) || unseen.includes(name);
  return !isKnown && !readOnly && type.kind !== "reference";
}

function extremes({ type }: PropertyModel): readonly Json[] {
  const { valid } = kindOf(type).samples(type);
  if (type.kind !== "string") return valid;
  const longest = "x".repeat(type.maxLength);
  return fitsText(longest, type) ? [...valid, longest] : valid;
}
