import type { AccessModel } from "../kinds/access-model.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyYaml } from "../kinds/property-yaml.js";
import { ACTION_BODIES } from "../naming/derived-names.js";
import { upperFirst, type ResourceName } from "../naming/resource-name.js";
import { resolvedGrants } from "../validate/grants.js";
import type { ActionYaml, ResourceYaml } from "../validate/resource-document.js";
import type { ActionModel } from "./action-model.js";
import { normaliseProperties, type PropertyScope } from "./normalise-property.js";
import type { ParentModel } from "./resource-model.js";
import type { AuthenticationModel } from "./service-model.js";
import type { StatesModel } from "./states-model.js";

/** What the actions of a resource depend on. */
export interface ActionScope {
  readonly name: ResourceName;
  /** `/api/v1/orders` */
  readonly path: string;
  readonly states: StatesModel | null;
  readonly parent: ParentModel | null;
  /** AUT-2: the property with the identifier of the owner. */
  readonly owner: string | undefined;
  readonly served: { readonly access: AccessModel };
  readonly around: Pick<PropertyScope, "limits" | "neighbours"> & {
    readonly authentication: AuthenticationModel;
  };
}

/** The actions of a resource in the order of its file, every default decided. */
export function normaliseActions(
  { actions = {} }: Pick<ResourceYaml, "actions">,
  scope: ActionScope,
): ActionModel[] {
  return Object.entries(actions).map(([name, yaml]) => normaliseAction(name, yaml, scope));
}

function normaliseAction(name: string, yaml: ActionYaml, scope: ActionScope): ActionModel {
  const { path, name: resource } = scope;
  const { on = "entity", input = {}, answers = on === "entity" ? "entity" : "nothing" } = yaml;
  const isObject = typeof answers === "object";
  const place = on === "entity" ? `${path}/{${resource.idProperty}}` : path;
  return {
    name,
    description: yaml.description ?? "",
    on,
    path: `${place}/${name}`,
    input: objectOf(upperFirst(name) + ACTION_BODIES.input, input, scope),
    answers: isObject ? "object" : answers,
    answer: objectOf(upperFirst(name) + ACTION_BODIES.answers, isObject ? answers : {}, scope),
    embeds: { input: [], answer: [] },
    states: allowedStates(yaml, scope.states),
    leadsTo: yaml.leadsTo ?? null,
    access: accessOf(yaml, scope),
    emits: yaml.emits ?? null,
  };
}

function objectOf(
  localName: string,
  properties: Readonly<Record<string, PropertyYaml>>,
  { name, around: { limits, neighbours } }: ActionScope,
): ObjectType {
  const typeName = `${name.typeName}${localName}`;
  const scope = { typePrefix: typeName, entityType: name.typeName, limits, neighbours };
  const own = normaliseProperties(properties, { ...scope, parentProperty: null });
  return { kind: "object", typeName, localName, properties: own };
}

/** STA: the states in which an action is allowed; one that leads to a state is where a transition leads there. Null: all. */
export function allowedStates(
  { states, leadsTo }: Pick<ActionYaml, "states" | "leadsTo">,
  machine: StatesModel | null,
): readonly string[] | null {
  if (states !== undefined) return states;
  if (leadsTo === undefined || machine === null) return null;
  return machine.transitions.filter(({ to }) => to.includes(leadsTo)).map(({ from }) => from);
}

/** AUT-2: who may change an entity may act on it; on a collection, whoever has a name where names are known. */
function accessOf({ on, access }: ActionYaml, scope: ActionScope): readonly string[] {
  const { owner, parent, served, around } = scope;
  if (access !== undefined)
    return resolvedGrants(access, "update", { owner, parent: parent?.access ?? null });
  if (on !== "collection") return served.access.update;
  return around.authentication.scheme === "none" ? ["anyone"] : ["authenticated"];
}
