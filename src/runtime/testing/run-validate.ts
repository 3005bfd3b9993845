import type { FieldIssue } from "../base/errors.js";
import { askRules } from "../entity/ask-rules.js";
import type { EntityHooks } from "../entity/hooks.js";
import { BusinessRules } from "../entity/problems.js";

/** The problems that `validate` of some hooks tells, without a service; `stored` is null for a create. */
export async function runValidate<Entity, Properties, OwnContext>(
  hooks: Pick<EntityHooks<Entity, Properties, OwnContext>, "validate">,
  next: Readonly<Properties>,
  stored: Readonly<Entity> | null,
  context: OwnContext,
): Promise<readonly FieldIssue[]> {
  const rules = BusinessRules.of(next, {});
  await askRules(hooks, rules, stored, context);
  return rules.told;
}
