import type { EntityHooks } from "./hooks.js";
import type { BusinessRules } from "./problems.js";

/** Asks `validate`, a function or a list of them, about what was read; `stored` is null where it is new. */
export async function askRules<Entity, Properties, OwnContext>(
  { validate = [] }: Pick<EntityHooks<Entity, Properties, OwnContext>, "validate">,
  rules: BusinessRules<Properties>,
  stored: Readonly<Entity> | null,
  context: OwnContext,
): Promise<void> {
  for (const rule of Array.isArray(validate) ? validate : [validate]) {
    await rules.ask((problems) => rule(rules.next, stored, problems, context));
  }
}
