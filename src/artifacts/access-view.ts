import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import { ts } from "../naming/code.js";
import { grantsOf } from "../kinds/access-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { scopeOfEntity } from "./modules.js";

/** What `resource/access.ts.hbs` sees. */
export interface AccessView extends HeaderView, ResourceNamesView {
  readonly read: TsCode;
  readonly create: TsCode;
  readonly update: TsCode;
  readonly delete: TsCode;
  readonly isScoped: boolean;
  /** What the service's own code gives, of the entities and of what they belong to. */
  readonly scopes: TsCode;
}

/** Who may do what with a resource (AUT-2). */
export function accessView(resource: ResourceModel): AccessView {
  const { access } = resource;
  const scopes = scopesOf(resource);
  const list = (operation: keyof typeof access): TsCode =>
    arrayCode(access[operation].map(literal), {
      indent: 2,
      before: `${operation}: `,
      after: ",",
    });
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    read: list("read"),
    create: list("create"),
    update: list("update"),
    delete: list("delete"),
    isScoped: scopes.length > 0,
    scopes: objectCode(
      scopes.map(({ tie, name }) => ts`${key(tie)}: ${scopeOfEntity(name)}`),
      { indent: 2, before: "scopes: ", after: "," },
    ),
  };
}

/** Whose code is asked for which tie, by the operations of a resource and by its actions. */
export function scopesOf({ access, actions, entity }: ResourceModel) {
  const grants = [...grantsOf(access), ...actions.flatMap((action) => action.access)];
  return [entity, ...entity.ancestors].flatMap(({ name }, depth) => {
    const tie = `${"parent:".repeat(depth)}custom`;
    return grants.includes(tie) ? [{ tie, name }] : [];
  });
}
