import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import { ts, word } from "../naming/code.js";
import { arrayDoc, objectDoc, prefixed } from "../naming/doc.js";
import { grantsOf } from "../kinds/access-model.js";
import { fileCode, resourceHeader } from "./header-view.js";
import { objectCode } from "./layout.js";
import { scopeOfEntity } from "./modules.js";

/** The file that says who may do what with a resource (AUT-2). */
export function accessCode(resource: ResourceModel): TsCode {
  const { access, name } = resource;
  const scopes = scopesOf(resource).map(
    ({ tie, name: asked }) => ts`${key(tie)}: ${scopeOfEntity(asked)}`,
  );
  const rules = (["read", "create", "update", "delete"] as const).map((operation) =>
    prefixed(
      ts`${word(operation)}: `,
      arrayDoc(storedGrants(resource, access[operation]).map(literal)),
    ),
  );
  const entries = [
    ...rules,
    ...(resource.entity.tenant === null ? [] : [ts`hasTenant: true`]),
    // What `scope` of custom code says, for the entities and for what they belong to.
    ...(scopes.length === 0 ? [] : [prefixed(ts`scopes: `, objectDoc(scopes))]),
  ];
  return fileCode(resourceHeader(resource), [
    ts`/** Who may do what with ${word(name.plural)} (AUT-2). */
export const ${word(name.singular)}Access: @AccessRules = ${objectCode(entries, { expanded: true })};`,
  ]);
}

/** Grants with the stored paths of the properties that they compare. */
export function storedGrants(
  { equalities }: ResourceModel,
  grants: readonly string[],
): readonly string[] {
  return grants.map((grant) => equalities.find((one) => one.grant === grant)?.storedGrant ?? grant);
}

/** The entities whose `scope` the grants of a resource and of its actions ask, each with the grant that asks it. */
export function scopesOf({ access, actions, entity }: ResourceModel) {
  const grants = [...grantsOf(access), ...actions.flatMap((action) => action.access)];
  return [entity, ...entity.ancestors].flatMap(({ name }, depth) => {
    const tie = `${"parent:".repeat(depth)}custom`;
    return grants.includes(tie) ? [{ tie, name }] : [];
  });
}
